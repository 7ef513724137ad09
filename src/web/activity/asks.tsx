import { useEffect, useRef, useState } from "preact/hooks";
import { ClientError } from "../../client/errors.ts";
import { decideAsk } from "../../client/signing-in/approvals.ts";
import type { PendingAsk } from "../../contract/secrets.ts";
import { Icon } from "../frame/icon.tsx";
import { Complaint } from "../parts/complaint.tsx";
import { describeSessionFailure } from "../parts/failures.ts";
import { capitalize, formatPast, formatTime } from "../parts/formats.ts";
import { useTask } from "../parts/tasks.ts";
import { requirePerson } from "../service/clients.ts";
import type { Person } from "../service/clients.ts";
import { ACTIVITY } from "../texts/activity.ts";
import { DECIDING } from "../texts/deciding.ts";
import { useFirstEnd } from "./ask-ends.ts";
import { describeAsker, findSent, joinWords, nameOfAsked } from "./descriptions.ts";
import type { Activity, ActivityItem } from "./items.ts";

const { deciding: words } = DECIDING;
const { facts } = ACTIVITY.activity;

/** The number of asks at first: the search below stays within reach. */
const FEW_ASKS = 3;
/** An outcome is shown for as long as an approval lasts. */
const OUTCOME_MS = 600_000;

type Decision = "approved" | "refused";
/** What came of an ask: the decision, or the reason why there is none. */
type Outcome = Decision | "over" | "not_approver";

interface Settled {
  readonly ask: PendingAsk;
  readonly outcome: Outcome;
}

/**
 * What waits for a decision by this person, and for a while what came of it. `onOver` is called when the time of one is
 * over by this machine's clock: the server knows better.
 */
export function Asks(props: {
  readonly person: Person;
  readonly activity: Activity;
  readonly onOver: () => Promise<void>;
}) {
  const { person, activity, onOver } = props;
  const { asks, items } = activity;
  const [settled, setSettled] = useState<readonly Settled[]>([]);
  const [showsAll, setShowsAll] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  // The button is gone, and the focus with it.
  useEffect(() => void (showsAll && list.current?.querySelectorAll<HTMLElement>("h3")[FEW_ASKS]?.focus()), [showsAll]);
  useFirstEnd(asks, onOver);
  const settle = (each: Settled) => {
    setSettled((before) => [...before.filter(({ ask }) => ask.id !== each.ask.id), each]);
    setTimeout(() => setSettled((before) => before.filter((other) => other !== each)), OUTCOME_MS);
  };
  const waiting = asks.filter(({ id }) => !settled.some(({ ask }) => ask.id === id)).map((ask) => ({ ask }));
  const few = showsAll ? waiting : waiting.slice(0, FEW_ASKS);
  // Somebody who was refused may have asked again, and has other words now.
  const past = settled.filter(
    ({ ask, outcome }) => outcome !== "refused" || ![...waiting, ...settled].some((each) => isLater(each, ask)),
  );
  const shown: readonly { readonly ask: PendingAsk; readonly outcome?: Outcome }[] = [...few, ...past];
  if (shown.length === 0) return null;
  return (
    <section class="group">
      <h2 class="group-title">{waiting.length > 0 ? words.title : words.approver.title}</h2>
      <ul class="asks" ref={list}>
        {shown
          .toSorted((one, other) => Date.parse(one.ask.asked_at) - Date.parse(other.ask.asked_at))
          .map(({ ask, outcome }) => (
            <AskCard
              key={ask.id}
              person={person}
              ask={ask}
              items={items}
              outcome={outcome}
              onSettled={(next) => settle({ ask, outcome: next })}
            />
          ))}
      </ul>
      {few.length < waiting.length && (
        <div class="buttons">
          <button type="button" class="button" onClick={() => setShowsAll(true)}>
            {words.showAll(waiting.length)}
          </button>
        </div>
      )}
    </section>
  );
}

/** True for an ask for the same secret that came after `former`: IDs sort by time. */
function isLater({ ask }: { readonly ask: PendingAsk }, former: PendingAsk): boolean {
  return ask.secret_id === former.secret_id && ask.id > former.id;
}

function AskCard(props: {
  readonly person: Person;
  readonly ask: PendingAsk;
  readonly items: readonly ActivityItem[];
  readonly outcome: Outcome | undefined;
  readonly onSettled: (outcome: Outcome) => void;
}) {
  const { person, ask, items, outcome, onSettled } = props;
  const { asked_at: asked, expires_at: end, created_at: created, sender } = ask;
  const asker = describeAsker(ask.address, ask.identity);
  const sent = findSent(items, ask.secret_id);
  const task = useTask((error) => describeSessionFailure(error).text);
  const heading = useRef<HTMLHeadingElement>(null);
  // The pressed button is gone, and the focus with it.
  useEffect(() => void (outcome && heading.current?.focus()), [outcome]);
  const decide = (decision: Decision) => {
    void task.run(async (say) => {
      say(words.busy[decision]);
      await requirePerson(person);
      onSettled(await decideOn(person, ask, decision));
      return undefined;
    });
  };
  const isBusy = task.progress !== "";
  return (
    <li>
      <h3 ref={heading} tabIndex={-1}>
        <bdi>{nameOfAsked(ask, items)}</bdi>
      </h3>
      {!outcome && <p>{words.wants}</p>}
      <p class="ask-words" lang="en" dir="ltr" translate={false}>
        {joinWords(ask.words)}
      </p>
      {!outcome && <p>{words.same}</p>}
      <dl class="data">
        {(
          [
            // An address begins as it is written.
            [words.who, ask.address === null ? capitalize(asker) : asker],
            ...(sender && !sent ? [[words.sender, sender.name ?? sender.address] as const] : []),
            [facts.sent, capitalize(formatPast(created))],
            [words.asked, capitalize(formatPast(asked))],
            ...(outcome ? [] : [[words.until, capitalize(formatTime(end))] as const]),
          ] as const
        ).map(([term, value]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p role="status" class="status-text">
        {outcome && (
          <>
            <Icon name={outcome === "approved" ? "check" : "close"} />
            {words.outcomes[outcome]}
          </>
        )}
      </p>
      {(!outcome || outcome === "approved") && (
        <div class="buttons">
          {!outcome && (
            <button type="button" class="button primary" aria-disabled={isBusy} onClick={() => decide("approved")}>
              {task.progress || words.letIn}
            </button>
          )}
          <button type="button" class="button" aria-disabled={isBusy} onClick={() => decide("refused")}>
            {outcome ? task.progress || words.refuseLater : words.refuse}
          </button>
        </div>
      )}
      <Complaint text={task.complaint} />
    </li>
  );
}

async function decideOn(person: Person, ask: PendingAsk, decision: Decision): Promise<Outcome> {
  try {
    await decideAsk(person.client, ask.secret_id, { id: ask.id, state: decision });
    return decision;
  } catch (error) {
    if (error instanceof ClientError && error.code === "not_found") return "over";
    if (error instanceof ClientError && error.code === "not_approver") return "not_approver";
    throw error;
  }
}
