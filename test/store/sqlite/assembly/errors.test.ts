import { expect, test } from "bun:test";
import { Refusal } from "../../../../src/domain/values/errors.ts";
import { toError, toErrorData } from "../../../../src/store/sqlite/assembly/errors.ts";
import { DatabaseError } from "../../../../src/store/sqlite/files/errors.ts";

/** Returns `error` as it arrives on the other side. */
const crossed = (error: unknown) => toError(JSON.parse(JSON.stringify(toErrorData(error))));

test("a Refusal, a DatabaseError and a system error keep their kind and causes on the other side", () => {
  const full = Object.assign(new Error("disk full"), { code: "SQLITE_FULL" });
  const refusal = crossed(new Refusal("storage_unavailable", { cause: full }));
  expect(refusal).toBeInstanceOf(Refusal);
  expect(refusal).toMatchObject({ code: "storage_unavailable", cause: { message: "disk full", code: "SQLITE_FULL" } });
  expect(crossed(new DatabaseError("not a database", { cause: full }))).toBeInstanceOf(DatabaseError);
  expect(crossed(full)).toMatchObject({ message: full.message, code: "SQLITE_FULL", stack: full.stack });
});

test("errors that are causes of each other can be sent too", () => {
  const own = new Error("its own cause");
  own.cause = own;
  expect(crossed(own)).toMatchObject({ message: "its own cause", cause: { message: "its own cause" } });
  const [first, second] = [new Error("first"), new Error("second")];
  first.cause = second;
  second.cause = first;
  expect(crossed(first)).toMatchObject({ message: "first", cause: { message: "second", cause: { message: "first" } } });
});

test("a thrown value that isn't an Error arrives as one that doesn't quote it", () => {
  expect(crossed("sensitive")).toMatchObject({ message: "string was thrown" });
});
