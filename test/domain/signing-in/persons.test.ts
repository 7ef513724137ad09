import { expect, test } from "bun:test";
import { authenticatePerson, signIn } from "../../../src/domain/sessions.ts";
import { invitePerson, removePerson } from "../../../src/domain/signing-in/persons.ts";
import { createTeam } from "../../../src/domain/teams.ts";
import { refusalOf } from "../../support/secrets.ts";
import { openTestService } from "../../support/service.ts";

test("a repeated sign-in also ends the former session of the browser, and no other", async () => {
  await using backend = await openTestService();
  const { service } = backend;
  await createTeam(service, "team");
  const invite = async () => (await invitePerson(service, { team: "team", address: "ann" })).token;
  const signInOnce = async () =>
    signIn(service, {
      signInToken: await invite(),
      idempotencyKey: undefined,
      former: undefined,
      browser: null,
      system: null,
    });
  const [former, other] = [await signInOnce(), await signInOnce()];
  const refusals = () => Promise.all([former, other].map(({ token }) => refusalOf(authenticatePerson(service, token))));
  const call = { signInToken: await invite(), idempotencyKey: "key", browser: null, system: null };
  const first = await signIn(service, { ...call, former: undefined });
  expect(await refusals()).toEqual([undefined, undefined]);
  const repeated = await signIn(service, { ...call, former: former.token });
  expect(repeated).toMatchObject({ token: first.token, isReplay: true });
  expect(await refusals()).toEqual(["credential_invalid", undefined]);
  expect(await refusalOf(authenticatePerson(service, repeated.token))).toBeUndefined();
});

test("of two people with one address, the one of the named team is removed", async () => {
  await using backend = await openTestService();
  const { service } = backend;
  const invite = async (team: string) => {
    await createTeam(service, team);
    return (await invitePerson(service, { team, address: "ann" })).person.id;
  };
  const [first, second] = [await invite("one"), await invite("two")];
  const removed = await removePerson(service, { nameOrId: "ann", team: "two" });
  expect(removed.after.id).toBe(second);
  const people = await service.store.listIdentities(undefined);
  expect(people.filter(({ disabledAt }) => disabledAt === null).map(({ id }) => id)).toEqual([first]);
});
