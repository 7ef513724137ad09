import { useState } from "preact/hooks";
import { ClientError } from "../../client/errors.ts";
import { askApproval } from "../../client/signing-in/approvals.ts";
import { initialsOf } from "../frame/account.ts";
import { Interruption } from "../frame/interruption.tsx";
import { Screen } from "../frame/screens.tsx";
import { Complaint } from "../parts/complaint.tsx";
import { formatClock } from "../parts/moments.ts";
import { nameOfPerson, WhoLine } from "../parts/person-card.tsx";
import { useTask } from "../parts/tasks.ts";
import type { Task } from "../parts/tasks.ts";
import { Warning } from "../parts/warning.tsx";
import { APPROVING } from "../texts/approving.ts";
import { OPENING } from "../texts/opening.ts";
import { LOCALE } from "../texts/page.ts";
import { findKeptAsk, forgetAsk, keepAsk } from "./approvals.ts";
import type { KeptAsk } from "./approvals.ts";
import type { AskProps } from "./ask-props.ts";
import { keepOpening, useDecision } from "./decisions.ts";
import type { Problem } from "./decisions.ts";
import { Facts } from "./facts.tsx";

const { approving: words } = APPROVING;
const { open } = OPENING;

/** An ask, from before it is made until somebody has decided. */
interface Asking {
  /** The ask that waits; undefined when there is none. */
  readonly ask: KeptAsk | undefined;
  readonly isRefused: boolean;
  /** True when an ask, or its approval, is over. */
  readonly isOver: boolean;
  readonly task: Task;
  readonly submit: () => void;
  /** What keeps the page from the decision; undefined while the server answers. */
  readonly problem: Problem | undefined;
}

function useAsking({ link, getProofToken, complain, onError, onApproved, ...props }: AskProps): Asking {
  const { id } = link;
  const [ask, setAsk] = useState(() => findKeptAsk(id));
  const [outcome, setOutcome] = useState<"refused" | "over" | undefined>(props.isOver ? "over" : undefined);
  const task = useTask((error) => (isFull(error) ? words.tooMany : complain(error)));
  const end = (how: typeof outcome) => {
    forgetAsk(id);
    setAsk(undefined);
    setOutcome(how);
  };
  const submit = async (say: (progress: string) => void) => {
    say(words.asking);
    try {
      const made = await askApproval(link.client, id, await getProofToken());
      const kept = { approvalToken: made.approval_token, words: made.words, until: made.expires_at };
      keepAsk(id, kept);
      setAsk(kept);
      setOutcome(undefined);
      return undefined;
    } catch (error) {
      return onError(error);
    }
  };
  const problem = useDecision(link, ask, {
    onApproved: (until) =>
      onApproved({
        text: words.letIn(formatClock(until, LOCALE)),
        keepOpening: (claim) => keepOpening(id, claim),
      }),
    onRefused: () => end("refused"),
    async onError(error) {
      if (error instanceof ClientError && error.code === "not_found") return end("over");
      await onError(error);
      return forgetAsk(id);
    },
  });
  return {
    ask,
    isRefused: outcome === "refused",
    isOver: outcome === "over",
    task,
    submit: () => void task.run(submit),
    problem,
  };
}

/** Asks for the approval of a claim, shows the three words, and goes on once somebody has decided. */
export function AskApproval(props: AskProps) {
  const { link, secret } = props;
  const { ask, isRefused, isOver, task, submit, problem } = useAsking(props);
  const sender = secret.sender && nameOfPerson(secret.sender);
  // Somebody else decides where it is the team.
  const decider = secret.approval === "sender" ? sender : null;
  const button = (text: string) => (
    <div class="stack-m">
      <Complaint text={task.complaint} />
      <button type="button" class="button primary" aria-disabled={task.progress !== ""} onClick={submit}>
        <span aria-live="polite">{task.progress || text}</span>
      </button>
    </div>
  );
  if (isRefused) {
    return (
      <Screen title={words.refused.title} lede={words.refused.text} envelope="over" isCentered>
        {button(words.again)}
      </Screen>
    );
  }
  const title = sender === null ? open.title : open.titleBy(sender);
  return (
    <Screen
      title={ask ? (decider === null ? words.waiting : words.waitingFor(decider)) : title}
      icon={ask ? "waiting" : "sealed"}
      initials={ask || sender === null ? undefined : initialsOf(sender)}
      envelope="closed"
      width="narrow"
      lede={ask ? words.compare : secret.sender && <WhoLine person={secret.sender} />}
    >
      <div role="status" class="stack-m">
        {ask ? (
          <>
            <ThreeWords words={ask.words} />
            {words.english && <p class="hint">{words.english}</p>}
            <p>{words.goesOn(formatClock(ask.until, LOCALE))}</p>
          </>
        ) : (
          <Facts secret={secret} link={link} />
        )}
      </div>
      {problem && <Interruption {...problem} />}
      {!ask && (
        <>
          {isOver && <Warning role="status">{words.over}</Warning>}
          <p>
            {decider === null ? words.wanted : words.wantedOf(decider)} {words.how}
          </p>
          {button(isOver ? words.again : words.button)}
          <p class="hint">{sender === null ? open.beWary : open.beWaryOf(sender)}</p>
        </>
      )}
    </Screen>
  );
}

/** Says of a secret that was opened, in a tab in which somebody has asked, that it wasn't opened there. */
export function NotHere() {
  return <p>{words.elsewhere}</p>;
}

/** The words of an ask, which are English in every language. */
function ThreeWords({ words: list }: Pick<KeptAsk, "words">) {
  return (
    <ul class="buttons words" dir="ltr" aria-label={words.three}>
      {list.map((each, position) => (
        <li key={position} lang="en" translate={false}>
          {each}
        </li>
      ))}
    </ul>
  );
}

/** True for the answer that too many others wait. */
function isFull(error: unknown): boolean {
  return error instanceof ClientError && error.code === "rate_limited";
}
