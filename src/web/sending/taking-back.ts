import { ClientError } from "../../client/errors.ts";
import type { HttpClient } from "../../client/http-client.ts";
import { getSecret, listSecrets, revokeSecret } from "../../client/secrets.ts";
import type { SealedSecret } from "../../client/stored-secrets.ts";
import { deriveSecretLinkKeys } from "../../crypto/secret-links.ts";
import { topUrl } from "../browser/places.ts";
import { createLinkClient, createSessionClient, requirePerson } from "../service/clients.ts";
import type { Person } from "../service/clients.ts";

/** The longest that somebody who has canceled waits to hear what came of it. */
const PATIENCE_MS = 10_000;
/** The number of secrets looked at: the last that was sent is among the newest, whatever else is sent at the same time. */
const NEWEST = 20;

/** The fate of something that is no longer to be sent: it had arrived and was revoked, or it is not there, or nobody can say. */
export type TakenBack = "revoked" | "absent" | "unknown";

/** Revokes what `person` has sent and nobody waits for any more, if it has arrived. Its id is not known, as no answer came. */
export async function takeBack(person: Person, sealed: SealedSecret): Promise<TakenBack> {
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

/** The id of the secret that the token of `holder` opens; undefined when it is none of these. */
async function findOwn(holder: HttpClient, ids: readonly string[]): Promise<string | undefined> {
  for (const id of ids) {
    try {
      return (await getSecret(holder, id)).id;
    } catch (error) {
      if (!(error instanceof ClientError)) throw error;
      // The server knows no such token, whatever the id.
      if (error.code === "credential_invalid") return undefined;
      if (error.code !== "not_found") throw error;
    }
  }
  return undefined;
}
