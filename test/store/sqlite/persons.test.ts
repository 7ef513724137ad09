import { expect, test } from "bun:test";
import { invitePerson, SESSION_SECONDS, signIn } from "../../../src/domain/persons.ts";
import { openTestSecrets } from "../../support/secrets.ts";

const DAY = 86_400_000;

test("sign-in links and sessions that are over leave the database when the next one is made", async () => {
  await using secrets = await openTestSecrets();
  const { service, clock } = secrets.backend;
  const invite = (name: string) => invitePerson(service, { team: "team", name });
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
