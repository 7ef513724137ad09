import type { FoundKey } from "../../domain/ports/credentials.ts";
import type { StoreContext } from "./engine/context.ts";
import { LATEST_AT, timeOf } from "./engine/context.ts";
import { batchLookups } from "./engine/lookup-batches.ts";
import { bytesArray, toRow } from "./engine/rows.ts";
import { apiKeys, identities, teams } from "./schema.ts";

/** Selects keys, each with its identity and team in columns of their own. */
const SELECT = `SELECT row_to_json(api_keys) AS key, row_to_json(identities) AS identity, teams.name AS team_name,
  teams.rules AS team_rules, ${LATEST_AT}
  FROM api_keys JOIN identities ON identities.id = identity_id JOIN teams ON teams.id = team_id
  WHERE token_hash = ANY(${bytesArray(1)})`;

/**
 * Returns a function that finds a key by the hash of its token; it resolves undefined when there is none. Every request
 * reads the database, batched with others: a revocation on any machine takes effect at the next request, and the
 * request's time is no earlier than any that another process has reported.
 */
export function createKeyReads(context: StoreContext): (tokenHash: Uint8Array) => Promise<FoundKey | undefined> {
  return batchLookups(async (hashes: readonly Uint8Array[]) => {
    const wanted = hashes.map((hash) => hash.toHex());
    const rows = await context.database.read(SELECT, [JSON.stringify([...new Set(wanted)])]);
    timeOf(context, rows);
    const found = new Map(
      rows.map((row) => {
        const { tokenHash, identityId: _identity, ...key } = toRow(apiKeys, row["key"] as never);
        const identity = toRow(identities, row["identity"] as never);
        const member = { ...identity, teamName: String(row["team_name"]) };
        // In JSON, bytes are hexadecimal with a prefix.
        return [String(tokenHash).slice(2), { ...key, identity: member, teamRules: toRules(row["team_rules"]) }];
      }),
    );
    return wanted.map((hash) => found.get(hash));
  });
}

function toRules(value: unknown): FoundKey["teamRules"] {
  return value === null ? null : (teams.rules.mapFromDriverValue(value) as FoundKey["teamRules"]);
}
