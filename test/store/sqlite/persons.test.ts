import { expect, test } from "bun:test";
import { isId } from "../../../src/contract/ids.ts";
import { SESSION_IDLE_SECONDS, SESSION_SECONDS } from "../../../src/contract/limits.ts";
import { createSecret } from "../../../src/domain/secrets.ts";
import { authenticatePerson, signIn } from "../../../src/domain/sessions.ts";
import { invitePerson } from "../../../src/domain/signing-in/persons.ts";
import { takeBack } from "../../support/old-databases.ts";
import { refusalOf } from "../../support/secrets.ts";
import { openSqliteSecrets } from "../../support/sqlite-secrets.ts";

const DAY = 86_400_000;

test("expired sign-in links and sessions are deleted when the next one is created", async () => {
  await using secrets = await openSqliteSecrets();
  const { service, clock } = secrets.backend;
  const invite = (name: string) => invitePerson(service, { team: "team", address: name });
  const kept = () =>
    secrets
      .query<{ what: string }>(
        `SELECT name || ' ' || kept.what AS what FROM identities
          JOIN (SELECT identity_id, 'link' AS what FROM human_tokens UNION ALL SELECT identity_id, 'session' FROM sessions) AS kept
          ON identities.id = kept.identity_id ORDER BY what`,
      )
      .map(({ what }) => what);
  const { token: signInToken } = await invite("ann");
  await signIn(service, { signInToken, idempotencyKey: undefined, former: undefined, browser: null, system: null });
  await invite("bob");
  expect(kept()).toEqual(["ann session", "bob link"]);
  clock.advance(DAY);
  await invite("cid");
  expect(kept()).toEqual(["ann session", "cid link"]);
  clock.advance(SESSION_SECONDS.default * 1000 - DAY);
  await invite("dot");
  expect(kept()).toEqual(["dot link"]);
});

test("after an upgrade, a person has no name until one is set, and earlier secrets have no sender", async () => {
  await using secrets = await openSqliteSecrets();
  const { service } = secrets.backend;
  const { folder } = secrets;
  const { person, token: signInToken } = await invitePerson(service, { team: "team", address: "ann", name: "Ann Lee" });
  const { token } = await signIn(service, {
    signInToken,
    idempotencyKey: undefined,
    former: undefined,
    browser: null,
    system: null,
  });
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

test("after an upgrade, people stay signed in, with the rights that they had", async () => {
  await using secrets = await openSqliteSecrets();
  const { service, clock } = secrets.backend;
  const { folder } = secrets;
  const { person, token: used } = await invitePerson(service, { team: "team", address: "ann" });
  const describes = { browser: null, system: null };
  const { token } = await signIn(service, {
    signInToken: used,
    idempotencyKey: undefined,
    former: undefined,
    ...describes,
  });
  const { token: link } = await invitePerson(service, { team: "team", address: "ann" });
  const { session } = await authenticatePerson(service, token);
  await service.store.close();
  takeBack(folder, "0017_sign_ins.sql");
  await secrets.backend.reopen();
  const after = await authenticatePerson(secrets.backend.service, token);
  expect(after.session).toEqual({ ...session, id: after.session.id });
  expect(isId(after.session.id, "session")).toBe(true);
  expect(after.person).toEqual(person);
  const again = { signInToken: link, idempotencyKey: undefined, former: undefined, ...describes };
  await signIn(secrets.backend.service, again);
  clock.advance(SESSION_IDLE_SECONDS.default * 1000);
  expect(await refusalOf(authenticatePerson(secrets.backend.service, token))).toBe("credential_expired");
});
