import { useEffect, useState } from "preact/hooks";
import { listSecretEvents } from "../../client/events.ts";
import type { HttpClient } from "../../client/http-client.ts";
import type { SeenEvent } from "../../client/shapes.ts";
import type { Secret } from "../../contract/secrets.ts";
import { capitalize, formatPast, formatTime } from "../parts/formats.ts";
import { ACTIVITY } from "../texts/activity.ts";

const { states } = ACTIVITY.activity;
const { history: words } = ACTIVITY.activity.facts;

interface Line {
  readonly what: string;
  /** RFC 3339. */
  readonly at: string;
  readonly isGood?: boolean;
}

/** When a secret was sent and opened, with which credentials, and its end. Until loaded, only when it was sent. */
export function History({ client, secret }: { readonly client: HttpClient; readonly secret: Secret }) {
  const { id, state, claims, created_at: created } = secret;
  const [lines, setLines] = useState<readonly Line[]>([]);
  useEffect(() => {
    let isShown = true;
    const read = async () => {
      const events = (await listSecretEvents(client, id)) ?? [];
      if (isShown) setLines(events.flatMap((event) => lineOf(event)));
    };
    // Without the history, the other details are still correct.
    read().catch(() => undefined);
    return () => void (isShown = false);
  }, [id, state, claims]);
  return (
    <section class="section">
      <h2 class="minor">{words.title}</h2>
      <ol class="story">
        {[{ what: words.sent, at: created }, ...lines].map(({ what, at, isGood }: Line, index) => (
          <li key={index} class={isGood ? "is-good" : undefined}>
            {what}
            <small>
              <time dateTime={at} title={formatTime(at)}>
                {capitalize(formatPast(at))}
              </time>
            </small>
          </li>
        ))}
      </ol>
    </section>
  );
}

function lineOf({ type, actor, created_at: at }: SeenEvent): Line[] {
  switch (type) {
    case "secret.claimed":
      return [{ what: describeOpening(actor?.kind), at, isGood: true }];
    case "secret.expired":
      return [{ what: states.expired, at }];
    case "secret.revoked":
      return [{ what: states.revoked, at }];
    default:
      return [];
  }
}

function describeOpening(kind: string | undefined): string {
  switch (kind) {
    case "link":
      return words.byLink;
    case "api_key":
      return words.byKey;
    case "person":
      return words.byPerson;
    default:
      return states.opened;
  }
}
