import { expect, test } from "bun:test";
import { authenticate } from "../../src/domain/callers.ts";
import { createRequest, getInvitation } from "../../src/domain/requests.ts";
import type { CreatedRequest } from "../../src/domain/requests.ts";
import { authenticatePerson, signIn } from "../../src/domain/sessions.ts";
import { invitePerson } from "../../src/domain/signing-in/persons.ts";
import { findClockDoubt } from "../../src/domain/values/clocks.ts";
import { openTestSecrets, refusalOf } from "../support/secrets.ts";
import type { TestSecrets } from "../support/secrets.ts";
import type { TestService } from "../support/service.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;
const RECIPIENT = "age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p";

/** Actions while the clock is ahead: a write sees it, or a restart after a write. */
const SEEN: Record<string, (secrets: TestSecrets) => Promise<unknown>> = {
  "in this process": (secrets) => secrets.create("seen"),
  "by the process before this one": async (secrets) => {
    await secrets.create("seen");
    await secrets.backend.reopen();
  },
};

for (const [where, see] of Object.entries(SEEN)) {
  test(`after the clock was an hour ahead for a moment, as seen ${where}, time goes on from there`, async () => {
    await using secrets = await openTestSecrets();
    const { clock } = secrets.backend;
    clock.jump(HOUR);
    await see(secrets);
    clock.jump(-HOUR);
    const short = await secrets.create("short", { expires_in: 60 });
    const claimed = await secrets.create("claimed");
    await secrets.claim(claimed.id, "key");
    clock.advance(MINUTE - 1);
    expect(await secrets.find(short.id)).toMatchObject({ state: "available" });
    clock.advance(1);
    expect(await secrets.find(short.id)).toMatchObject({ state: "expired" });
    clock.advance(4 * MINUTE);
    expect(await refusalOf(secrets.claim(claimed.id, "key"))).toBe("secret_claimed");
  });
}

test("no process falls behind the time that another one has stored", async () => {
  await using secrets = await openTestSecrets();
  const later = secrets.backend.clock.now() + HOUR;
  await secrets.backend.storage.run(`UPDATE clocks SET latest_at = ${later}`);
  await secrets.create("a write sees it");
  expect(secrets.backend.service.clock.now()).toBeGreaterThanOrEqual(later);
});

test("a clock more than a day behind the database's latest time, or a year ahead of it, is reported", () => {
  const latest = Date.parse("2026-11-21T09:30:00Z");
  const doubts = [-10 * YEAR, -DAY - 1, -DAY, 0, YEAR, YEAR + 1, 10 * YEAR].map((by) =>
    findClockDoubt(latest + by, latest),
  );
  expect(doubts).toEqual(["behind", "behind", undefined, undefined, undefined, "ahead", "ahead"]);
  expect([0, latest, 10 * latest].map((now) => findClockDoubt(now, 0))).toEqual([undefined, undefined, undefined]);
});

/** Resources that expire. Each returns a function that uses one and returns the code of the refusal. */
const ENDING: Record<string, (backend: TestService) => Promise<() => Promise<string | undefined>>> = {
  async "an API key"(backend) {
    const { token } = await backend.mint({ expiresAt: backend.clock.now() + 24 * HOUR });
    return () => refusalOf(authenticate(backend.service, token, undefined));
  },
  async "a sign-in link"(backend) {
    const { token: signInToken } = await invite(backend);
    return () =>
      refusalOf(
        signIn(backend.service, {
          signInToken,
          idempotencyKey: undefined,
          former: undefined,
          browser: null,
          system: null,
        }),
      );
  },
  async "a session"(backend) {
    const { token: signInToken } = await invite(backend);
    const { token } = await signIn(backend.service, {
      signInToken,
      idempotencyKey: undefined,
      former: undefined,
      browser: null,
      system: null,
    });
    // A session lasts for 30 days; this one has a day left.
    backend.clock.advance(29 * 24 * HOUR);
    return () => refusalOf(authenticatePerson(backend.service, token));
  },
  async "a request link"(backend) {
    const { submitToken = "" } = await ask(backend, (24 * HOUR) / 1000);
    return async () => {
      const caller = await authenticate(backend.service, submitToken, undefined);
      if (caller.kind !== "submit") throw new Error("not a submit token");
      return refusalOf(getInvitation(backend.service, caller));
    };
  },
};

for (const [what, make] of Object.entries(ENDING)) {
  test(`${what} refused as expired stays expired when the clock goes back, even in the next process`, async () => {
    await using secrets = await openTestSecrets();
    const { backend } = secrets;
    const told = await make(backend);
    backend.clock.jump(25 * HOUR);
    expect(await told()).toMatch(/_expired$/);
    backend.clock.jump(-25 * HOUR);
    expect(await told()).toMatch(/_expired$/);
    await backend.reopen();
    expect(await told()).toMatch(/_expired$/);
  });
}

test("repeated calls with an expired key write nothing", async () => {
  await using secrets = await openTestSecrets();
  const { backend } = secrets;
  const told = await ENDING["an API key"]?.(backend);
  backend.clock.advance(25 * HOUR);
  expect(await told?.()).toBe("credential_expired");
  const { latestAt: before } = await secrets.backend.storage.look();
  backend.clock.advance(HOUR);
  expect(await told?.()).toBe("credential_expired");
  expect((await secrets.backend.storage.look()).latestAt).toBe(before);
});

async function invite(backend: TestService) {
  await backend.mint();
  return invitePerson(backend.service, { team: "team", address: "ann@example.com" });
}

async function ask(backend: TestService, expiresIn: number): Promise<CreatedRequest> {
  const { token } = await backend.mint();
  return createRequest(backend.service, await authenticate(backend.service, token, undefined), {
    body: { recipient: RECIPIENT },
    query: { expires_in: expiresIn },
    call: { idempotencyKey: undefined, path: "/api/v1/requests" },
  });
}
