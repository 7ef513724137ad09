import { expect, test } from "bun:test";
import { nothingYet } from "../../../src/cli/handovers/collections.ts";
import { toFailure } from "../../../src/cli/terminal/failures.ts";
import { usageError } from "../../../src/cli/terminal/terminal.ts";
import { ClientError } from "../../../src/client/errors.ts";
import type { ClientErrorKind } from "../../../src/client/errors.ts";
import { interrupted } from "../../../src/client/network-errors.ts";
import { RequestMetadata } from "../../../src/contract/requests.ts";
import { LinkError } from "../../../src/crypto/links.ts";

// Scripts are written by these numbers: they never change.
const EXIT_CODES: Record<ClientErrorKind, number> = {
  failure: 1,
  usage: 2,
  credential: 3,
  gone: 4,
  decryption: 5,
  network: 6,
};

test("a command that failed ends with the code of what it failed for", () => {
  for (const [kind, exitCode] of Object.entries(EXIT_CODES)) {
    const error = new ClientError("internal", kind as ClientErrorKind, "It failed.");
    expect({ kind, ...toFailure(error) }).toMatchObject({ kind, exitCode });
  }
  expect(toFailure(interrupted())).toMatchObject({ exitCode: 130, code: "interrupted" });
  expect(toFailure(usageError("Name a file."))).toMatchObject({ exitCode: 2, code: "usage" });
  expect(toFailure(new LinkError("No link."))).toMatchObject({ exitCode: 2 });
  expect(toFailure(new Error("unforeseen"))).toMatchObject({ exitCode: 1 });
});

test("whoever asks before something is handed in hears so by exit code 7 and by a name, and it is no failure", () => {
  const [request] = (RequestMetadata as { readonly examples?: RequestMetadata[] }).examples ?? [];
  if (!request) throw new Error("there is no example of a request");
  expect(toFailure(nothingYet(request, "Ask again later."))).toEqual({
    exitCode: 7,
    code: "nothing_handed_in",
    message: "Nothing has been handed in yet. Ask again later.",
  });
});
