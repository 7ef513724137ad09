import { ClientError } from "../../client/errors.ts";
import type { HttpClient } from "../../client/http-client.ts";
import { getSecret, listSecrets, revokeSecret } from "../../client/secrets.ts";
import type { SealedSecret } from "../../client/stored-secrets.ts";
import { deriveSecretLinkKeys } from "../../crypto/secret-links.ts";
import { topUrl } from "../browser/places.ts";
import { createSessionClient, requirePerson } from "../service/clients.ts";
import type { Person } from "../service/clients.ts";
import { createLinkClient } from "../service/link-clients.ts";

/** The longest wait for the result after canceling. */
const PATIENCE_MS = 10_000;
/** The number of secrets to check: the canceled one is among the newest. */
const NEWEST = 20;

/**
 * The result of revoking a canceled secret: it had arrived and was revoked, it does not exist, or the result is
 * unknown.
 */
export type CancelOutcome = "revoked" | "absent" | "unknown";

/** Revokes a canceled secret of `person` if it has arrived. Its ID is unknown, because no answer came. */
export async function revokeCanceled(person: Person, sealed: SealedSecret): Promise<CancelOutcome> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const client = createSessionClient({ signal });
  try {
    await requirePerson(person);
    const newest = await listSecrets(client, { limit: NEWEST, state: "available", createdBy: person.id });
    const alike = newest.filter(({ ciphertext_bytes: bytes }) => bytes === sealed.envelope.ciphertext.length);
    const { claimToken } = await deriveSecretLinkKeys(sealed.seed);
    const holder = createLinkClient(topUrl(), claimToken, { signal });
    const id = await findOwn(
      holder,
      alike.map((each) => each.id),
    );
    if (id === undefined) return "absent";
    await revokeSecret(client, id);
    return "revoked";
  } catch (error) {
    if (error instanceof ClientError) return "unknown";
    throw error;
  }
}

/** Returns the ID of the secret that the token of `holder` opens; undefined when it is none of `ids`. */
async function findOwn(holder: HttpClient, ids: readonly string[]): Promise<string | undefined> {
  for (const id of ids) {
    try {
      return (await getSecret(holder, id)).id;
    } catch (error) {
      if (!(error instanceof ClientError)) throw error;
      // The server does not know the token, so no other ID can match.
      if (error.code === "credential_invalid") return undefined;
      if (error.code !== "not_found") throw error;
    }
  }
  return undefined;
}
