import type { HttpClient } from "../client/http-client.ts";
import { listSecrets, revokeSecret } from "../client/secrets.ts";
import type { Secret } from "../contract/secrets.ts";
import { formatSize, formatTime } from "./formats.ts";
import { useLive } from "./live.ts";
import { RevokeButton } from "./revoke-button.tsx";
import { STRINGS } from "./strings.ts";

const { list } = STRINGS;
const SHOWN = 20;

/** What became of what the team sent, as it happens. */
export function SentList({ client }: { readonly client: HttpClient }) {
  const { value: secrets, setValue, isSignedOut } = useLive(client, () => listSecrets(client, SHOWN));
  const revoke = async (id: string) => {
    const ended = await revokeSecret(client, id);
    setValue((all) => all?.map((each) => (each.id === id ? ended : each)));
  };
  return (
    <section aria-labelledby="sent">
      <h2 id="sent">{list.title}</h2>
      {isSignedOut && <p>{STRINGS.signedOut.text}</p>}
      {secrets?.length === 0 && <p class="quiet">{list.noneSent}</p>}
      <ul class="files" aria-live="polite">
        {secrets?.map((secret) => (
          <li key={secret.id}>
            <span>
              {list.states[secret.state]} <small>{describe(secret)}</small>
            </span>
            {secret.state === "available" && (
              <RevokeButton label={list.revokeSent(formatTime(secret.created_at))} onRevoke={() => revoke(secret.id)} />
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function describe({
  created_at: created,
  ended_at: ended,
  ciphertext_bytes: bytes,
  claims,
  max_claims: most,
}: Secret): string {
  const end = ended === null ? "" : list.ended(formatTime(ended));
  return [list.sent(formatTime(created)), end, formatSize(bytes), most > 1 ? list.claims(claims, most) : ""]
    .filter(Boolean)
    .join(" · ");
}
