import { expect, test } from "bun:test";
import { codeOf, traceOf } from "../../src/contract/error-traces.ts";
import { UserError } from "../../src/contract/user-errors.ts";
import { Refusal } from "../../src/domain/values/errors.ts";

const SECRET = "correct horse battery";

/** An error of a parser that quotes its input, which here looks like a stack frame. */
function quoting(options?: ErrorOptions): Error {
  return new SyntaxError(`no JSON: ${SECRET}\n    at ${SECRET} (/a/b.ts:1:2)\n    at c (/d.ts:3:4)`, options);
}

test("a trace has the class and the frames of an error, and not its message", () => {
  const trace = traceOf(quoting());
  expect(trace).toEqual({
    error: "SyntaxError",
    at: expect.arrayContaining([expect.stringContaining("error-traces.test.ts")]),
  });
  expect(trace.at.every((each) => each.startsWith("at "))).toBe(true);
  expect(JSON.stringify(trace)).not.toContain(SECRET);
  expect(JSON.stringify(trace)).not.toContain("d.ts:3:4");
});

test("a trace has the causes of an error with their codes, up to a limit", () => {
  const full = Object.assign(quoting(), { code: "ENOSPC" });
  const trace = traceOf(quoting({ cause: quoting({ cause: full }) }));
  expect(trace.cause?.cause).toMatchObject({ error: "SyntaxError", code: "ENOSPC" });
  expect(JSON.stringify(trace)).not.toContain(SECRET);
  const circular = quoting();
  circular.cause = circular;
  expect(JSON.stringify(traceOf(circular)).match(/"error"/g)?.length).toBeLessThan(6);
});

test("a secret in the name or code of an error, or thrown itself, isn't in the trace", () => {
  const named = Object.assign(quoting(), { name: SECRET, code: SECRET });
  for (const thrown of [named, SECRET, { message: SECRET }, [SECRET], undefined]) {
    expect(JSON.stringify(traceOf(thrown))).not.toContain(SECRET);
  }
  // The message changes after the stack was captured.
  const changed = quoting();
  changed.message = "another";
  expect(JSON.stringify(traceOf(changed))).not.toContain(SECRET);
});

test("a code of handoff's own is never taken for a system code", () => {
  expect(codeOf(Object.assign(new Error("no room"), { code: "ENOSPC" }))).toBe("ENOSPC");
  expect(codeOf(new UserError("failure", "No.", { code: "ENOSPC" }))).toBeUndefined();
  expect(codeOf(new Refusal("storage_unavailable"))).toBeUndefined();
  expect(traceOf(new Refusal("not_found"))).not.toHaveProperty("code");
  for (const thrown of [undefined, "ENOENT", { code: "ENOENT" }, Object.assign(new Error("odd"), { code: 2 })]) {
    expect(codeOf(thrown)).toBeUndefined();
  }
});
