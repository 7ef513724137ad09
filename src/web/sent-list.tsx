import { useEffect, useState } from "preact/hooks";
import type { HttpClient } from "../client/http-client.ts";
import { listSecrets, revokeSecret } from "../client/secrets.ts";
import type { EventPage } from "../contract/events.ts";
import type { Secret } from "../contract/secrets.ts";
import { formatSize, formatTime } from "./formats.ts";
import { STRINGS } from "./strings.ts";

const { list } = STRINGS;
const SHOWN = 20;
const WAIT_SECONDS = 50;
const PAUSE_MS = 5000;

/** What became of what the team sent, as it happens. */
export function SentList({ client }: { readonly client: HttpClient }) {
  const [secrets, setSecrets] = useState<readonly Secret[]>([]);
  useEffect(() => {
    const controller = new AbortController();
    void follow(client, setSecrets, controller.signal);
    return () => controller.abort();
  }, [client]);
  const revoke = (id: string) =>
    void revokeSecret(client, id).then((ended) =>
      setSecrets((all) => all.map((each) => (each.id === id ? ended : each))),
    );
  return (
    <section aria-labelledby="sent">
      <h2 id="sent">{list.title}</h2>
      {secrets.length === 0 && <p class="quiet">{list.none}</p>}
      <ul class="files" aria-live="polite">
        {secrets.map((secret) => (
          <li key={secret.id}>
            <span>
              {list.states[secret.state]} <small>{describe(secret)}</small>
            </span>
            {secret.state === "available" && (
              <button
                type="button"
                class="plain"
                aria-label={list.revokeThis(formatTime(secret.created_at))}
                onClick={() => revoke(secret.id)}
              >
                {list.revoke}
              </button>
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

/** Reads the list, and again whenever something has happened, without polling. */
async function follow(client: HttpClient, show: (secrets: Secret[]) => void, signal: AbortSignal): Promise<void> {
  let after = await lastEvent(client).catch(() => undefined);
  while (!signal.aborted) {
    try {
      show(await listSecrets(client, SHOWN));
      const query = { after: after ?? undefined, limit: 100 };
      const page = await client.call<EventPage>("listEvents", { query, waitSeconds: WAIT_SECONDS });
      after = page.next_cursor ?? undefined;
    } catch {
      // The server is away for a moment, or the session is over: the page itself will say so.
      await new Promise((resolve) => void setTimeout(resolve, PAUSE_MS));
    }
  }
}

async function lastEvent(client: HttpClient): Promise<string | undefined> {
  let after: string | undefined;
  for (;;) {
    const page = await client.call<EventPage>("listEvents", { query: { after, limit: 100 } });
    after = page.next_cursor ?? undefined;
    if (page.data.length < 100) return after;
  }
}
