import { toServerPolicy } from "../../src/cli/server/policy.ts";
import { loadSettings } from "../../src/config/load.ts";
import type { Scope } from "../../src/contract/scopes.ts";
import { SCOPES } from "../../src/contract/scopes.ts";
import { createMonotonicClock } from "../../src/domain/clocks.ts";
import type { TimeSource } from "../../src/domain/clocks.ts";
import { createIds } from "../../src/domain/ids.ts";
import { createKey } from "../../src/domain/keys.ts";
import type { MintedKey } from "../../src/domain/keys.ts";
import { systemRandom } from "../../src/domain/random.ts";
import type { ServerPolicy } from "../../src/domain/server-policies.ts";
import { createService } from "../../src/domain/service.ts";
import type { Service } from "../../src/domain/service.ts";
import { createTeam } from "../../src/domain/teams.ts";
import type { StoreOptions } from "../../src/store/sqlite/assembly/options.ts";
import { openStore } from "../../src/store/sqlite/store.ts";
import { temporaryFolder } from "./temporary.ts";

/** A clock that a test moves. */
export interface TestClock extends TimeSource {
  /** Lets so many milliseconds go by; negative ones set the clock back without any going by. */
  advance(milliseconds: number): void;
  /** Sets the clock, back or forth, without any time going by. */
  jump(milliseconds: number): void;
}

export function createTestClock(start = Date.parse("2026-11-21T09:30:00Z")): TestClock {
  let now = start;
  let elapsed = 0;
  return {
    now: () => now,
    elapsed: () => elapsed,
    advance(milliseconds) {
      now += milliseconds;
      elapsed += Math.max(0, milliseconds);
    },
    jump: (milliseconds) => void (now += milliseconds),
  };
}

/** The service with its real rules and a real database in a folder of its own. */
export interface TestService extends AsyncDisposable {
  readonly service: Service;
  readonly folder: string;
  readonly clock: TestClock;
  /** Mints a key; the team is made when it is new, and every call makes an identity of its own. */
  mint(options?: {
    readonly team?: string;
    readonly scopes?: readonly Scope[];
    expiresAt?: number;
  }): Promise<MintedKey>;
  /** Closes the service and opens it again over the same folder, as after a restart. */
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

/** Opens a service for a test; limits are out of the way unless `policy` says otherwise. */
export function openTestService(
  policy: Partial<ServerPolicy> = {},
  ballastBytes = 0,
  storeOptions: Partial<StoreOptions> = {},
): TestService {
  const folder = temporaryFolder();
  const clock = createTestClock();
  const fullPolicy = { ...unlimitedPolicy(), ...policy };
  const open = () => {
    const monotonic = createMonotonicClock(clock);
    const ids = createIds(monotonic, systemRandom);
    const { tombstoneSeconds } = fullPolicy;
    const sources = { clock: monotonic, ids };
    const store = openStore({ ...sources, folder: folder.path, tombstoneSeconds, ballastBytes, ...storeOptions });
    return createService({ ...sources, store, random: systemRandom, policy: fullPolicy });
  };
  let service = open();
  let identities = 0;
  return {
    get service() {
      return service;
    },
    folder: folder.path,
    clock,
    async mint({ team = "team", scopes = SCOPES, expiresAt } = {}) {
      const teams = await service.store.listTeams();
      if (!teams.some((each) => each.name === team)) await createTeam(service, team);
      identities += 1;
      return createKey(service, {
        team,
        identity: `identity-${identities}`,
        scopes,
        name: null,
        expiresAt: expiresAt ?? null,
      });
    },
    async reopen() {
      await service.store.close();
      service = open();
      return service;
    },
    async [Symbol.asyncDispose]() {
      service.waits.release();
      await service.store.close();
      folder[Symbol.dispose]();
    },
  };
}
