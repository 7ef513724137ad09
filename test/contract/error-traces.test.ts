import { expect, test } from "bun:test";
import { traceOf } from "../../src/contract/error-traces.ts";
import { codeOf } from "../../src/contract/system-codes.ts";
import { UserError } from "../../src/contract/user-errors.ts";
import { Refusal } from "../../src/domain/errors.ts";

const SECRET = "correct horse battery";

/** What a parser might throw that quotes what it was given, here something that looks like a place in the program. */
function quoting(options?: ErrorOptions): Error {
  return new SyntaxError(`no JSON: ${SECRET}\n    at ${SECRET} (/a/b.ts:1:2)\n    at c (/d.ts:3:4)`, options);
}

test("a trace says what was thrown and where, and nothing of its message", () => {
  const trace = traceOf(quoting());
  expect(trace).toEqual({
    error: "SyntaxError",
    at: expect.arrayContaining([expect.stringContaining("error-traces.test.ts")]),
  });
  expect(trace.at.every((each) => each.startsWith("at "))).toBe(true);
  expect(JSON.stringify(trace)).not.toContain(SECRET);
  expect(JSON.stringify(trace)).not.toContain("d.ts:3:4");
});

test("a trace has the causes of an error, with their codes, and no end of them", () => {
  const full = Object.assign(quoting(), { code: "ENOSPC" });
  const trace = traceOf(quoting({ cause: quoting({ cause: full }) }));
  expect(trace.cause?.cause).toMatchObject({ error: "SyntaxError", code: "ENOSPC" });
  expect(JSON.stringify(trace)).not.toContain(SECRET);
  const circular = quoting();
  circular.cause = circular;
  expect(JSON.stringify(traceOf(circular)).match(/"error"/g)?.length).toBeLessThan(6);
});

test("what carries a secret in its name, its code or in place of an error leaves no trace of it", () => {
  const named = Object.assign(quoting(), { name: SECRET, code: SECRET });
  for (const thrown of [named, SECRET, { message: SECRET }, [SECRET], undefined]) {
    expect(JSON.stringify(traceOf(thrown))).not.toContain(SECRET);
  }
  // A message that was changed after the stack was made.
  const changed = quoting();
  changed.message = "another";
  expect(JSON.stringify(traceOf(changed))).not.toContain(SECRET);
});

test("the code of an error of ours is never taken for one of the system", () => {
  expect(codeOf(Object.assign(new Error("no room"), { code: "ENOSPC" }))).toBe("ENOSPC");
  expect(codeOf(new UserError("failure", "No.", { code: "ENOSPC" }))).toBeUndefined();
  expect(codeOf(new Refusal("storage_unavailable"))).toBeUndefined();
  expect(traceOf(new Refusal("not_found"))).not.toHaveProperty("code");
  for (const thrown of [undefined, "ENOENT", { code: "ENOENT" }, Object.assign(new Error("odd"), { code: 2 })]) {
    expect(codeOf(thrown)).toBeUndefined();
  }
});
