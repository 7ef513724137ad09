import { afterEach, expect, spyOn, test } from "bun:test";
import { ClientError } from "../../../src/client/errors.ts";
import { LinkError } from "../../../src/crypto/link-faults.ts";
import { describeFailure, describeFault, describeLinkFailure } from "../../../src/web/parts/failures.ts";
import { PAGE } from "../../../src/web/texts/page.ts";

const SECRET = "correct horse battery";
const logged = spyOn(console, "error").mockImplementation(() => undefined);
afterEach(() => void logged.mockClear());

test("an unforeseen failure gets a general notice, and its place is logged without its message", () => {
  const notice = describeFailure(new TypeError(`cannot read ${SECRET}`));
  expect(notice).toEqual({ title: PAGE.failed.title, text: PAGE.failed.other, canRetry: true });
  expect(logged.mock.calls).toEqual([
    [expect.stringContaining('the page failed. Please report this: {"error":"TypeError"')],
  ]);
  expect(JSON.stringify(logged.mock.calls)).not.toContain(SECRET);
});

test("an expected failure is not logged", () => {
  describeFailure(new ClientError("connection_lost", "network", "The connection to the server was lost."));
  describeFailure(new LinkError("other", "This is not a link."));
  expect(logged.mock.calls).toEqual([]);
});

test("busy, unreachable and refusing servers are distinguished, and a retry is offered when it can help", () => {
  const { answered, busy, network, other, refused } = PAGE.failed;
  const said: readonly (readonly [ConstructorParameters<typeof ClientError>[0], string, boolean])[] = [
    ["server_busy", busy.text, true],
    ["storage_unavailable", busy.text, true],
    ["gateway_unavailable", busy.text, true],
    ["connection_failed", network.text, true],
    ["timed_out", network.text, true],
    ["unexpected_answer", answered.text, true],
    ["internal", other, true],
    ["schema_mismatch", refused, false],
    ["ciphertext_unrecognized", refused, false],
    ["credential_invalid", PAGE.wrongLink.text, false],
  ];
  for (const [code, text, canRetry] of said) {
    const notice = describeFailure(new ClientError(code, "failure", "x"));
    expect({ code, text: notice.text, canRetry: notice.canRetry === true }).toEqual({ code, text, canRetry });
  }
});

test("only a missing answer looks like a lost connection", () => {
  const codes = [
    "server_busy",
    "connection_lost",
    "unexpected_answer",
    "internal",
    "rate_limited",
    "stale_page",
  ] as const;
  const icons = codes.map((code) => describeFailure(new ClientError(code, "failure", "x")).icon);
  expect(icons).toEqual(["offline", "offline", "offline", undefined, undefined, undefined]);
});

test("too many wrong links are reported as such: a right one would have been accepted", () => {
  const limited = new ClientError("rate_limited", "failure", "x");
  expect(describeLinkFailure(limited)).toMatchObject(PAGE.tooMany);
  expect(describeFailure(limited).text).toBe(PAGE.failed.limited);
});

test("each fault of a link has its own title", () => {
  const titles = (["incomplete", "extra", "no_key", "encoded", "newer_version", "mistyped"] as const).map(
    (fault) => describeFault(fault).title,
  );
  expect(new Set(titles).size).toBe(titles.length);
});
