import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ERROR_CODES } from "../../src/contract/error-codes.ts";
import { detailOf, ERRORS } from "../../src/contract/errors.ts";
import { UserError } from "../../src/contract/user-errors.ts";

test("every error has a title, and a meaning or an advice in whole sentences", () => {
  for (const code of ERROR_CODES) {
    const { title, meaning, advice } = ERRORS[code];
    expect(title).toMatch(/^[A-Z].*[^.]$/);
    for (const text of [meaning, advice])
      expect({ code, text }).toEqual({ code, text: expect.stringMatching(/^$|^[A-Z].*\.$/) });
    expect(detailOf(code)).toMatch(/^[A-Z].*\.$/);
    expect(detailOf(code)).not.toMatch(/ {2}/);
  }
});

test("a UserError separates what happened from what to do, and its message has both", () => {
  const both = new UserError("usage", { meaning: "It failed.", advice: "Try again." });
  expect(both).toMatchObject({ message: "It failed. Try again.", meaning: "It failed.", advice: "Try again." });
  expect(new UserError("usage", { meaning: "It failed.", advice: "" }).message).toBe("It failed.");
  expect(new UserError("gone", "It failed.")).toMatchObject({ meaning: "It failed.", advice: "", code: "failure" });
});

test("only UserError and the server's Refusal extend Error", () => {
  const root = join(import.meta.dir, "../../src");
  const found = [...new Bun.Glob("**/*.{ts,tsx}").scanSync(root)].flatMap((path) =>
    [...readFileSync(join(root, path), "utf8").matchAll(/class (\w+) extends Error\b/g)].map(
      ([, name]) => `${path} ${name}`,
    ),
  );
  expect(found.toSorted()).toEqual([
    // Internal to transfers in pieces: a failure after which they go on.
    "client/large/setbacks.ts Setback",
    "client/package/errors.ts HandoffError",
    "contract/user-errors.ts UserError",
    "domain/values/errors.ts Refusal",
    // The cause of a refusal, for the log and for 'admin check'.
    "store/blobs/object-store.ts ObjectStoreError",
    // Internal to the store: a statement without an answer, and its effect on the transaction.
    "store/copies/large-pieces.ts BlobError",
    "store/postgres/engine/errors.ts NoAnswer",
    "store/postgres/engine/writer.ts OutcomeUnknown",
    "store/postgres/engine/writing.ts NotCommitted",
    // Internal to the writer: the reason for running a transaction again.
    "store/sqlite/engine/writer.ts JobFailed",
    // The cause of a refusal, for the log alone.
    "store/sqlite/files/errors.ts DamageError",
    // Internal to a screen: the browser has no room for what would be opened.
    "web/opening/large-opening.tsx NoRoomError",
  ]);
});
