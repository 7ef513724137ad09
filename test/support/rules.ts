import { SCOPES } from "../../src/contract/scopes.ts";
import { authenticate } from "../../src/domain/callers.ts";
import type { Caller } from "../../src/domain/callers.ts";
import { createKey } from "../../src/domain/keys.ts";
import { createService } from "../../src/domain/service.ts";
import type { Service } from "../../src/domain/service.ts";
import { createTeam } from "../../src/domain/teams.ts";
import { systemRandom } from "../../src/domain/values/random.ts";
import { secretCalls } from "./secret-calls.ts";
import type { SecretCalls } from "./secret-calls.ts";
import { unlimitedPolicy } from "./service.ts";
import type { OpenStore, StoreUnderTest } from "./stores.ts";

/** The rules over a store under test, called as one identity of one team. */
export interface TestRules extends SecretCalls, AsyncDisposable {
  readonly place: StoreUnderTest;
  readonly backend: { readonly service: Service };
  /** Another identity of the team. */
  readonly colleague: Caller;
  /** Ends the service and opens the store again, as a restart does. */
  restart(): Promise<void>;
  /** The events of all that has happened, oldest first: their types, each with the id of its secret or request. */
  events(): Promise<string[]>;
}

/** The rules over an empty store. */
export async function openTestRules(open: OpenStore): Promise<TestRules> {
  const place = await open();
  const start = () => {
    const { store, clock, ids } = place;
    return createService({
      store,
      clock,
      ids,
      random: systemRandom,
      policy: { ...unlimitedPolicy(), sendsMails: true },
    });
  };
  const backend = { service: start() };
  await createTeam(backend.service, "team");
  const callAs = async (identity: string) => {
    const key = { team: "team", identity, scopes: SCOPES, name: null, expiresAt: null };
    const { token } = await createKey(backend.service, key);
    return authenticate(backend.service, token, undefined);
  };
  const [caller, colleague] = [await callAs("identity"), await callAs("colleague")];
  return {
    ...secretCalls(backend, caller),
    colleague,
    place,
    backend,
    async restart() {
      await place.reopen();
      backend.service = start();
    },
    async events() {
      const events = await place.store.listEvents(caller.teamId, undefined, 100_000);
      return events.map(({ type, secretId, requestId }) => `${type} ${secretId ?? requestId}`);
    },
    async [Symbol.asyncDispose]() {
      backend.service.waits.release();
      await place[Symbol.asyncDispose]();
    },
  };
}
