import { expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { exampleId } from "../../src/contract/ids.ts";
import { Secret } from "../../src/contract/secrets.ts";
import { listSecretStates } from "../../src/mcp/secret-tools.ts";
import { exampleOf } from "../support/clients.ts";
import { runHere } from "../support/terminals.ts";
import { createTestWorkspace, runTool } from "../support/workspaces.ts";

const ID = exampleId("secret");
const LATER: object = { ...exampleOf(Secret), state: "sealed", ciphertext_format: "age_v2" };

test("a state and a format of a later server are shown as they are, and a claim says that it can't be made", async () => {
  using server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch({ url }) {
      const data = url.endsWith("/events") ? [] : [LATER];
      return Response.json(url.endsWith(ID) ? LATER : { data, next_cursor: null });
    },
  });
  const env = { HANDOFF_URL: server.url.origin, HANDOFF_API_KEY: "hak_lFA6LboL2xx0ldQH2K1TdSrwuqMMiME345JaEG" };
  expect(await runHere(["list"], env)).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(" sealed ") });
  expect(await runHere(["status", ID], env)).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^sealed/) });
  expect(await runHere(["open", "-"], env, `${server.url.origin}/s/${ID}#1.${"A".repeat(22)}`)).toMatchObject({
    exitCode: 4,
    stderr: expect.stringContaining("This secret can't be opened: the server says that it is 'sealed'."),
  });
});

test("an agent sees a state of a later server, if it is a word", async () => {
  const answers = { listSecrets: () => ({ data: [LATER], next_cursor: null }) };
  const listed = await runTool(listSecretStates, {}, createTestWorkspace({ answers }));
  expect(Value.Check(listSecretStates.output, listed)).toBeTrue();
  expect(listed).toMatchObject({ secrets: [{ id: ID, state: "sealed" }] });
});
