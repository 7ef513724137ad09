import { useEffect, useState } from "preact/hooks";
import { listSecretEvents } from "../../client/events.ts";
import type { HttpClient } from "../../client/http-client.ts";
import type { SeenEvent } from "../../client/shapes.ts";
import type { Secret } from "../../contract/secrets.ts";
import { formatPast } from "../parts/formats.ts";
import { ACTIVITY } from "../texts/activity.ts";

const { states } = ACTIVITY.activity;
const { history: words } = ACTIVITY.activity.facts;

/** The times at which a secret was opened, the credentials used, and its end; nothing until loaded. */
export function History({ client, secret }: { readonly client: HttpClient; readonly secret: Secret }) {
  const { id, state, claims } = secret;
  const [lines, setLines] = useState<readonly (readonly [what: string, at: string])[]>([]);
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
  if (lines.length === 0) return null;
  return (
    <section class="stack-s">
      <h3>{words.title}</h3>
      <dl class="pairs">
        {lines.map(([what, at], index) => (
          <div key={index}>
            <dt>{what}</dt>
            <dd>{formatPast(at)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function lineOf({ type, actor, created_at: at }: SeenEvent): (readonly [string, string])[] {
  switch (type) {
    case "secret.claimed":
      return [[describeOpening(actor?.kind), at]];
    case "secret.expired":
      return [[states.expired, at]];
    case "secret.revoked":
      return [[states.revoked, at]];
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
