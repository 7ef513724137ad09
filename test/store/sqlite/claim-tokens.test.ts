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

/** Returns the ID of the secret that a claim token belongs to, without naming the secret. */
async function secretOf({ backend }: SqliteSecrets, claimToken: string | undefined): Promise<string | undefined> {
  const caller = await authenticate(backend.service, claimToken ?? "", undefined);
  return caller.kind === "claim" ? caller.secret.id : undefined;
}

test("a claim token finds its secret, however many secrets were stored before and after it", async () => {
  await using secrets = await openSqliteSecrets();
  const create = () => createSecret(secrets.backend.service, secrets.caller, input);
  const created = await Promise.all(Array.from({ length: 1100 }, create));
  const unknown = createToken("claim", systemRandom);
  // At the same time: concurrent lookups share the scan of the rows.
  const found = await Promise.all(created.map(({ claimToken }) => secretOf(secrets, claimToken)));
  expect(found).toEqual(created.map(({ secret }) => secret.id));
  expect(await refusalOf(secretOf(secrets, unknown))).toBe("credential_invalid");
  const later = await create();
  expect(await secretOf(secrets, later.claimToken)).toBe(later.secret.id);
});

test("a deleted secret's claim token is unknown, and secrets that reuse its number have their own", async () => {
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
