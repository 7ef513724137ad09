import { useEffect, useRef } from "preact/hooks";
import type { HttpClient } from "../../client/http-client.ts";
import type { Secret } from "../../contract/secrets.ts";
import { describeAnySize, formatPast, formatWhen } from "../parts/formats.ts";
import type { AskedRow } from "../service/asked.ts";
import { ACTIVITY } from "../texts/activity.ts";
import { SENDING } from "../texts/sending.ts";
import { describeItem } from "./descriptions.ts";
import { History } from "./history.tsx";
import { idOf, ticketOf } from "./items.ts";
import type { ActivityItem } from "./items.ts";

const { facts: words, states } = ACTIVITY.activity;

/** Shows all details that the server returns for a secret or a request. */
export function DetailsDialog(props: {
  readonly client: HttpClient;
  readonly item: ActivityItem;
  readonly onClose: () => void;
}) {
  const { client, item, onClose } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const { name, state } = describeItem(item);
  const facts = item.kind === "sent" ? factsOfSecret(item.secret) : factsOfRequest(item.asked);
  return (
    <dialog ref={dialog} class="dialog stack-m" aria-labelledby="details" onClose={onClose}>
      <h2 id="details">
        <bdi>{name}</bdi>
      </h2>
      <dl class="pairs">
        {[[words.state, state.text] as const, ...facts, ...factsOfTicket(item)].map(([term, value]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        <div>
          <dt>{words.id}</dt>
          <dd>
            <code dir="ltr">{idOf(item)}</code>
          </dd>
        </div>
      </dl>
      {item.kind === "sent" && <History client={client} secret={item.secret} />}
      <div class="buttons">
        <button type="button" class="button" onClick={() => dialog.current?.close()}>
          {words.close}
        </button>
      </div>
    </dialog>
  );
}

type Fact = readonly [string, string];

function factsOfTicket(item: ActivityItem): Fact[] {
  const ticket = ticketOf(item);
  return ticket === null ? [] : [[words.ticket, ticket]];
}

function factsOfSecret(secret: Secret): Fact[] {
  const { created_at: created, claims, max_claims: most, ciphertext_bytes: bytes } = secret;
  return [
    [words.sent, formatPast(created)],
    endOf(secret),
    [words.opened, words.times(claims, most)],
    [words.size, describeAnySize(bytes)],
  ];
}

function factsOfRequest({ request, opened }: AskedRow): Fact[] {
  const { created_at: created, submission_count: count, max_submissions: most } = request;
  return [
    [words.asked, formatPast(created)],
    endOfRequest(request),
    [words.handedIn, words.times(count, most)],
    [words.opened, words.times(opened, count)],
  ];
}

/** The time at which the request ended, labeled as its end: its submissions may have been opened at another time. */
function endOfRequest(request: AskedRow["request"]): Fact {
  const [term, when] = endOf(request);
  const { state } = request;
  if (state === "fulfilled") return [SENDING.asked.fulfilledTitle, when];
  return [state === "expired" || state === "revoked" ? states[state] : term, when];
}

function endOf({
  expires_at: expires,
  ended_at: ended,
}: {
  readonly expires_at: string;
  readonly ended_at: string | null;
}): Fact {
  return ended === null ? [words.expires, formatWhen(expires)] : [words.ended, formatPast(ended)];
}
