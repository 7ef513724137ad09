import { expect, test } from "bun:test";
import { authenticate } from "../../../src/domain/callers.ts";
import { systemRandom } from "../../../src/domain/random.ts";
import { createSecret } from "../../../src/domain/secrets.ts";
import { createToken } from "../../../src/domain/tokens.ts";
import { inDatabase, openTestSecrets, refusalOf } from "../../support/secrets.ts";

test("a claim token is known by itself however many secrets were stored since", async () => {
  await using secrets = await openTestSecrets();
  const { service, folder } = secrets.backend;
  const envelope = { version: 1, ciphertext: "a" } as const;
  const call = { idempotencyKey: undefined, path: "/api/v1/secrets" };
  const input = { envelope, query: {}, call };
  const first = await createSecret(service, secrets.caller, input);
  // As if a hundred thousand had come between.
  await secrets.create("another");
  inDatabase(folder, (database) => {
    database.run("PRAGMA foreign_keys = OFF");
    database.run("UPDATE secrets SET seq = 100000 WHERE seq = 2");
  });
  const last = await createSecret(service, secrets.caller, input);
  for (const { secret, claimToken } of [first, last]) {
    expect(await authenticate(service, claimToken ?? "", undefined)).toMatchObject({ secret: { id: secret.id } });
  }
  expect(await refusalOf(authenticate(service, createToken("claim", systemRandom), undefined))).toBe(
    "credential_invalid",
  );
});
