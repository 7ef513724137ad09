import { expect, test } from "bun:test";
import { authenticate } from "../../../src/domain/callers.ts";
import { createSecret } from "../../../src/domain/secrets.ts";
import { systemRandom } from "../../../src/domain/values/random.ts";
import { createToken } from "../../../src/domain/values/tokens.ts";
import { refusalOf } from "../../support/secrets.ts";
import { inDatabase } from "../../support/sqlite-files.ts";
import { openSqliteSecrets } from "../../support/sqlite-secrets.ts";
import type { SqliteSecrets } from "../../support/sqlite-secrets.ts";

const input = {
  envelope: { version: 1, ciphertext: "a" },
  query: {},
  call: { idempotencyKey: undefined, path: "/api/v1/secrets" },
} as const;

/** The id of the secret that a claim token is known to belong to, without a word of which. */
async function secretOf({ backend }: SqliteSecrets, claimToken: string | undefined): Promise<string | undefined> {
  const caller = await authenticate(backend.service, claimToken ?? "", undefined);
  return caller.kind === "claim" ? caller.secret.id : undefined;
}

test("a claim token is known by itself however many secrets were stored before and since", async () => {
  await using secrets = await openSqliteSecrets();
  const create = () => createSecret(secrets.backend.service, secrets.caller, input);
  const created = await Promise.all(Array.from({ length: 1100 }, create));
  const unknown = createToken("claim", systemRandom);
  // At the same time: what one of them looks through, no other does.
  const found = await Promise.all(created.map(({ claimToken }) => secretOf(secrets, claimToken)));
  expect(found).toEqual(created.map(({ secret }) => secret.id));
  expect(await refusalOf(secretOf(secrets, unknown))).toBe("credential_invalid");
  const later = await create();
  expect(await secretOf(secrets, later.claimToken)).toBe(later.secret.id);
});

test("a claim token of a secret that is gone is unknown, and secrets that take its number are known by theirs", async () => {
  await using secrets = await openSqliteSecrets();
  const create = () => createSecret(secrets.backend.service, secrets.caller, input);
  const gone = [await create(), await create()];
  for (const { secret, claimToken } of gone) expect(await secretOf(secrets, claimToken)).toBe(secret.id);
  inDatabase(secrets.folder, (database) => {
    database.run("DELETE FROM ciphertexts");
    database.run("DELETE FROM secrets");
  });
  const created = [await create(), await create(), await create()];
  for (const { secret, claimToken } of created) expect(await secretOf(secrets, claimToken)).toBe(secret.id);
  for (const { claimToken } of gone) expect(await refusalOf(secretOf(secrets, claimToken))).toBe("credential_invalid");
});
