import { toServerPolicy } from "../../src/cli/server/policy.ts";
import { loadSettings } from "../../src/config/load.ts";
import type { Scope } from "../../src/contract/scopes.ts";
import { SCOPES } from "../../src/contract/scopes.ts";
import { createKey } from "../../src/domain/keys.ts";
import type { MintedKey } from "../../src/domain/keys.ts";
import type { ServerPolicy } from "../../src/domain/server-policies.ts";
import { createService } from "../../src/domain/service.ts";
import type { Service } from "../../src/domain/service.ts";
import { createTeam } from "../../src/domain/teams.ts";
import { createMonotonicClock } from "../../src/domain/values/clocks.ts";
import { createIds } from "../../src/domain/values/ids.ts";
import { systemRandom } from "../../src/domain/values/random.ts";
import { openStorage } from "./open-storage.ts";
import type { TestStorage } from "./storages.ts";
import { createTestClock } from "./test-clocks.ts";
import type { TestClock } from "./test-clocks.ts";

/** The service with its real rules and a real database of its own. */
export interface TestService extends AsyncDisposable {
  readonly service: Service;
  readonly storage: TestStorage;
  readonly clock: TestClock;
  /** Mints a key; the team is made when it is new, and every call makes an identity of its own. */
  mint(options?: {
    readonly team?: string;
    readonly scopes?: readonly Scope[];
    expiresAt?: number;
    readonly networks?: readonly string[];
  }): Promise<MintedKey>;
  /** Closes the service and opens it again over what it has kept, as after a restart. */
  reopen(): Promise<Service>;
}

/** The policy of a server as it is set by default, with limits out of the way. */
export function unlimitedPolicy(): ServerPolicy {
  return {
    ...toServerPolicy(loadSettings({}, {})),
    callsPerSecond: 1_000_000,
    callBurst: 1_000_000,
    failedAuthenticationsPerMinute: 1_000_000,
  };
}

/**
 * Opens a service for a test, over `storage`, or over one of the engine that this run is for. Limits are out of the way
 * unless `policy` says otherwise.
 */
export async function openTestService(
  policy: Partial<ServerPolicy> = {},
  storage?: TestStorage,
  clock = createTestClock(),
): Promise<TestService> {
  const place = storage ?? (await openStorage());
  const fullPolicy = { ...unlimitedPolicy(), ...policy };
  const open = async () => {
    const monotonic = createMonotonicClock(clock);
    const ids = createIds(monotonic, systemRandom);
    const sources = { clock: monotonic, ids };
    const store = await place.open({ ...sources, tombstoneSeconds: fullPolicy.tombstoneSeconds });
    const large = place.large?.();
    const limits = large ? {} : { maxSecretBytes: 0 };
    return createService({ ...sources, store, large, random: systemRandom, policy: { ...fullPolicy, ...limits } });
  };
  let service = await open();
  let identities = 0;
  return {
    get service() {
      return service;
    },
    storage: place,
    clock,
    async mint({ team = "team", scopes = SCOPES, expiresAt, networks } = {}) {
      const teams = await service.store.listTeams();
      if (!teams.some((each) => each.name === team)) await createTeam(service, team);
      identities += 1;
      return createKey(service, {
        team,
        identity: `identity-${identities}`,
        scopes,
        name: null,
        expiresAt: expiresAt ?? null,
        networks,
      });
    },
    async reopen() {
      await service.store.close();
      service = await open();
      return service;
    },
    async [Symbol.asyncDispose]() {
      service.waits.release();
      await service.store.close();
      await place[Symbol.asyncDispose]();
    },
  };
}
