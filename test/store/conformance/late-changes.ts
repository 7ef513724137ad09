import { expect, test } from "bun:test";
import { addRequest, addSecret, addTeam, claim, hashOf, submit } from "../../support/stores.ts";
import type { WorkingStore } from "../../support/stores.ts";

/** Two processes over one storage. */
export interface TwoProcesses extends AsyncDisposable {
  readonly one: WorkingStore;
  /** The process whose clock is ahead. */
  readonly ahead: WorkingStore;
  /** Sets the clock of `ahead`. */
  setAhead(epochMs: number): void;
  /** Calls `change` and then `report`, which reads before the change is committed and ends after it. */
  during<T>(change: () => Promise<unknown>, report: () => Promise<T>): Promise<T>;
}

interface Subject {
  readonly id: string;
  readonly teamId: string;
  readonly requestId?: string | null;
}

const ALL = { state: undefined, createdBy: undefined, before: undefined, limit: 10 };

/** Everything that tells a caller the state of a secret or a request. */
const SECRET_REPORTS: Readonly<Record<string, (place: WorkingStore, subject: Subject) => Promise<unknown>>> = {
  "a look at a secret": async ({ store }, { id, teamId }) => (await store.findSecret(teamId, id))?.state,
  "a list of secrets": async ({ store }, { teamId }) => (await store.listSecrets({ ...ALL, teamId })).items[0]?.state,
  "a claim token": async ({ store }, { id }) => (await store.findSecretByClaimToken(hashOf(id), id))?.state,
  "a list of submissions": async ({ store }, { teamId, requestId }) =>
    (await store.listSubmissions(teamId, requestId ?? "")).at(-1)?.state,
};
const REQUEST_REPORTS: typeof SECRET_REPORTS = {
  "a look at a request": async ({ store }, { id, teamId }) => (await store.findRequest(teamId, id))?.state,
  "a list of requests": async ({ store }, { teamId }) => (await store.listRequests({ ...ALL, teamId })).items[0]?.state,
  "a submit token": async ({ store }, { id }) => (await store.findRequestBySubmitToken(hashOf(id), id))?.state,
};

export function describeLateChanges(open: () => Promise<TwoProcesses>): void {
  for (const [name, report] of Object.entries(SECRET_REPORTS)) {
    test(`${name} doesn't say expired of a secret whose claim is being committed`, async () => {
      await using both = await open();
      const { one, ahead } = both;
      const teamId = await addTeam(one);
      const { id: requestId } = await addRequest(one, teamId);
      const handedIn = await submit(one, { id: requestId, teamId }, { expiresAt: one.clock.now() + 1000 });
      if (handedIn?.kind !== "created") throw new Error("it was not taken");
      const { secret } = handedIn;
      both.setAhead(secret.expiresAt);
      expect(
        await both.during(
          () => claim(one, secret),
          () => report(ahead, secret),
        ),
      ).toBe("claimed");
      const late = await addSecret(one, teamId, { requestId, expiresAt: secret.expiresAt });
      expect(await report(ahead, late)).toBe("expired");
    });
  }
  for (const name of ["a look at a secret", "a list of secrets", "a claim token"]) {
    test(`${name} doesn't say expired of a secret whose longer life is being committed`, async () => {
      await using both = await open();
      const { one, ahead } = both;
      const teamId = await addTeam(one);
      const secret = await addSecret(one, teamId, { expiresAt: one.clock.now() + 1000 });
      const longer = {
        expiresAt: secret.expiresAt + 60_000,
        maxClaims: undefined,
        actorId: null,
        quotaBytes: Infinity,
      };
      both.setAhead(secret.expiresAt);
      expect(
        await both.during(
          () => one.store.setSecretTerms(teamId, secret.id, longer),
          () => SECRET_REPORTS[name]?.(ahead, secret) ?? Promise.reject(new Error("there is no such report")),
        ),
      ).toBe("available");
    });
  }
  for (const [name, report] of Object.entries(REQUEST_REPORTS)) {
    test(`${name} doesn't say expired of a request while its last submission is being committed`, async () => {
      await using both = await open();
      const { one, ahead } = both;
      const teamId = await addTeam(one);
      const request = await addRequest(one, teamId);
      both.setAhead(request.expiresAt);
      expect(
        await both.during(
          () => submit(one, request),
          () => report(ahead, request),
        ),
      ).toBe("fulfilled");
      const late = await addRequest(one, teamId, { expiresAt: request.expiresAt });
      expect(await report(ahead, late)).toBe("expired");
    });
  }
}
