import type { IdentityRecord, KeyRecord, TeamRecord } from "../../src/domain/ports/identities.ts";
import type { NewSecret } from "../../src/domain/ports/secrets.ts";
import type { Store } from "../../src/domain/ports/store.ts";

/**
 * A store that keeps credentials in memory and no secrets: the app over it is the ceiling for the app over a database.
 * A claim of any id hands out the secret created last. Methods that the benchmark doesn't call reject.
 */
export function createStoreWithoutSecrets(): Store {
  let last: NewSecret | undefined;
  const called: Partial<Store> = {
    ...createCredentialMemory(),
    async createSecret(secret) {
      last = secret;
      return { kind: "created", secret: secret.record };
    },
    replayCreation: async () => undefined,
    async claimSecret({ id }) {
      if (!last) return undefined;
      const { record } = last;
      const ciphertext =
        typeof last.ciphertext === "string" ? last.ciphertext : Buffer.from(last.ciphertext).toString();
      const secret = { ...record, id, state: "claimed" as const, claims: 1, endedAt: record.createdAt };
      return { kind: "claimed", secret, ciphertext, replayUntil: null };
    },
    subscribe: () => () => undefined,
    keepTime: async () => undefined,
    sweep: async () => false,
    findTroubles: async () => [],
    countStates: async () => [],
    findKeyEnds: async () => [],
    close: async () => undefined,
    listWebhooks: async () => [],
    mayCallWebhooks: async () => false,
  };
  return new Proxy(called as Store, {
    get: (store, name, receiver) => Reflect.get(store, name, receiver) ?? reject,
  });
}

function createCredentialMemory() {
  const teams: TeamRecord[] = [];
  const identities: IdentityRecord[] = [];
  const keys = new Map<string, KeyRecord>();
  return {
    createTeam: async (team: TeamRecord) => {
      teams.push(team);
      return "created" as const;
    },
    createIdentity: async (identity: IdentityRecord) => {
      identities.push(identity);
      return "created" as const;
    },
    createKey: async (key: KeyRecord, hash: Uint8Array) => {
      keys.set(hash.toBase64(), key);
      return key;
    },
    listTeams: async () => teams,
    keepTeamQuota: async () => undefined,
    findTeamQuota: async () => undefined,
    findInstallation: async () => "0".repeat(32),
    findTeam: async (nameOrId: string) => teams.find(({ id, name }) => id === nameOrId || name === nameOrId),
    listIdentities: async () => identities,
    findKeyByHash: async (hash: Uint8Array) => {
      const key = keys.get(hash.toBase64());
      return key && { ...key, teamRules: null };
    },
    recordKeyUse: () => undefined,
    findTeamUsage: async () => ({ storedBytes: 0, quotaBytes: null }),
  };
}

function reject(): Promise<never> {
  return Promise.reject(new Error("the benchmark does not call this"));
}
