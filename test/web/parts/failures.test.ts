import { afterEach, expect, spyOn, test } from "bun:test";
import { ClientError } from "../../../src/client/errors.ts";
import { LinkError } from "../../../src/crypto/link-faults.ts";
import { describeFailure } from "../../../src/web/parts/failures.ts";
import { STRINGS } from "../../../src/web/strings.ts";

const SECRET = "correct horse battery";
const logged = spyOn(console, "error").mockImplementation(() => undefined);
afterEach(() => void logged.mockClear());

test("what nobody foresaw is said in general words, and where it happened is on the console without its message", () => {
  const notice = describeFailure(new TypeError(`cannot read ${SECRET}`));
  expect(notice).toEqual({ title: STRINGS.failed.title, text: STRINGS.failed.other, canRetry: true });
  expect(logged.mock.calls).toEqual([
    [expect.stringContaining('the page failed. Please report this: {"error":"TypeError"')],
  ]);
  expect(JSON.stringify(logged.mock.calls)).not.toContain(SECRET);
});

test("an expected failure is no matter for the console", () => {
  describeFailure(new ClientError("connection_lost", "network", "The connection to the server was lost."));
  describeFailure(new LinkError("other", "This is not a link."));
  expect(logged.mock.calls).toEqual([]);
});
