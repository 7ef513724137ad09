import { expect, test } from "bun:test";
import { authenticatePerson, invitePerson, SESSION_SECONDS, signIn } from "../../../src/domain/persons.ts";
import { createSecret } from "../../../src/domain/secrets.ts";
import { takeBack } from "../../support/old-databases.ts";
import { openSqliteSecrets } from "../../support/sqlite-secrets.ts";

const DAY = 86_400_000;

test("expired sign-in links and sessions are deleted when the next one is created", async () => {
  await using secrets = await openSqliteSecrets();
  const { service, clock } = secrets.backend;
  const invite = (name: string) => invitePerson(service, { team: "team", address: name });
  const kept = () =>
    secrets
      .query<{ what: string }>(
        "SELECT name || ' ' || purpose AS what FROM human_tokens JOIN identities ON id = identity_id ORDER BY what",
      )
      .map(({ what }) => what);
  const { token: signInToken } = await invite("ann");
  await signIn(service, { signInToken, idempotencyKey: undefined, former: undefined });
  await invite("bob");
  expect(kept()).toEqual(["ann session", "bob sign_in"]);
  clock.advance(DAY);
  await invite("cid");
  expect(kept()).toEqual(["ann session", "cid sign_in"]);
  clock.advance(SESSION_SECONDS * 1000 - DAY);
  await invite("dot");
  expect(kept()).toEqual(["dot sign_in"]);
});

test("after an upgrade, a person has no name until one is set, and earlier secrets have no sender", async () => {
  await using secrets = await openSqliteSecrets();
  const { service } = secrets.backend;
  const { folder } = secrets;
  const { person, token: signInToken } = await invitePerson(service, { team: "team", address: "ann", name: "Ann Lee" });
  const { token } = await signIn(service, { signInToken, idempotencyKey: undefined, former: undefined });
  const { secret } = await createSecret(service, await authenticatePerson(service, token), {
    envelope: { version: 1, ciphertext: "text" },
    query: {},
    call: { idempotencyKey: undefined, path: "/app/secrets" },
  });
  expect(secret).toMatchObject({ createdBy: person.id, senderId: person.id });
  await service.store.close();
  takeBack(folder, "0010_named_persons.sql");
  await secrets.backend.reopen();
  const { store } = secrets.backend.service;
  expect(await store.findSecret(person.teamId, secret.id)).toEqual({ ...secret, senderId: null });
  expect(await store.findPerson(person.id)).toEqual({ ...person, personName: null });
});
