import type { KeyRecord } from "../../domain/ports/identities.ts";
import type { StoreContext } from "./engine/context.ts";
import { LATEST_AT, timeOf } from "./engine/context.ts";
import { gatherReads } from "./engine/gathering.ts";
import { bytesArray, toRow } from "./engine/rows.ts";
import { apiKeys, identities } from "./schema.ts";

/** Every key, with its identity and its team: one of each for a key, and each in a column. */
const SELECT = `SELECT row_to_json(api_keys) AS key, row_to_json(identities) AS identity, teams.name AS team_name, ${LATEST_AT}
  FROM api_keys JOIN identities ON identities.id = identity_id JOIN teams ON teams.id = team_id
  WHERE token_hash = ANY(${bytesArray(1)})`;

/**
 * Returns what finds a key by the hash of its token. It is read for every request, together with those of others: what was revoked on any
 * machine counts for the next request, and whoever is let in has the time that any other process may have told.
 */
export function createKeyReads(context: StoreContext): (tokenHash: Uint8Array) => Promise<KeyRecord | undefined> {
  return gatherReads(async (hashes: readonly Uint8Array[]) => {
    const wanted = hashes.map((hash) => hash.toHex());
    const rows = await context.database.read(SELECT, [JSON.stringify([...new Set(wanted)])]);
    timeOf(context, rows);
    const found = new Map(
      rows.map((row) => {
        const { tokenHash, identityId: _identity, ...key } = toRow(apiKeys, row["key"] as never);
        const identity = toRow(identities, row["identity"] as never);
        // In JSON, bytes are hexadecimal digits after a prefix.
        return [String(tokenHash).slice(2), { ...key, identity: { ...identity, teamName: String(row["team_name"]) } }];
      }),
    );
    return wanted.map((hash) => found.get(hash));
  });
}
