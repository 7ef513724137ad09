import type { VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Submission } from "../../contract/requests.ts";
import { isRepeatable } from "../browser/age-identities.ts";
import { readPast } from "../browser/past-links.ts";
import { Icon } from "../frame/icon.tsx";
import { formatLeft, formatTime, formatTimeLeft } from "../parts/formats.ts";
import { IdEnd, idEndOf } from "../parts/id-end.tsx";
import { StateChip } from "../parts/state-chip.tsx";
import type { ShownState } from "../parts/state-chip.tsx";
import { ACTIVITY } from "../texts/activity.ts";
import { PAGE } from "../texts/page.ts";
import { useTimeLeft } from "../viewing/time-left.tsx";
import { canOpen } from "./collections.ts";
import type { Answers } from "./collections.ts";

const { collect } = ACTIVITY;

/** A submission: it can be opened, shown again for a while, or is over. */
export function SubmissionRow(props: {
  readonly submission: Submission;
  /** Counts from 1. */
  readonly position: number;
  /** True for the submission to open next. */
  readonly isFirst: boolean;
  readonly answers: Answers;
  /** True when the person may open submissions. */
  readonly mayOpen: boolean;
  /** The progress of opening it; empty when it is not being opened. */
  readonly progress: string;
  /** The complaint about the last attempt to open it; empty when there is none. */
  readonly complaint: string;
  /** What is shown while it is downloaded; undefined unless it is. */
  readonly download: VNode | undefined;
  /** True while any submission is being opened. */
  readonly isBusy: boolean;
  readonly onOpen: () => void;
}) {
  const { submission, position, isFirst, answers, mayOpen, progress, complaint, download, isBusy, onOpen } = props;
  const { secret_id: id, state, created_at: createdAt } = submission;
  const claim = answers.kept.claims[id];
  const wrong = useRef<HTMLParagraphElement>(null);
  // The pressed row may be the last one in the window.
  useEffect(() => void (complaint && wrong.current?.scrollIntoView({ block: "nearest" })), [complaint]);
  const end = answers.ends.get(id);
  const leftMs = useTimeLeft(claim?.replayEndsAt ?? null);
  const name = collect.secret(position);
  const isOpenable = mayOpen && canOpen(submission, answers.kept) && (state === "available" || isRepeatable(claim));
  const isUnsure = state === "claimed" && claim?.replayEndsAt === null;
  const action = progress || describeAction(state, isUnsure, leftMs);
  return (
    <li>
      <Icon name={state === "available" ? "sealed" : "opened"} />
      <div>
        <b>{name}</b>
        <small>
          {collect.handedIn(formatTime(createdAt))} · <IdEnd id={id} />
        </small>
        <small>{describeOutcome(submission, answers, end)}</small>
      </div>
      <div class="things-end">
        <StateChip state={stateOf(submission, readPast(id)?.kind === "lost")} />
        {isOpenable && (
          <button
            type="button"
            class={isFirst ? "button primary" : "button"}
            aria-disabled={isBusy}
            aria-label={collect.actionOn(action, name, idEndOf(id))}
            onClick={onOpen}
          >
            {action}
          </button>
        )}
      </div>
      {download && <div class="things-more">{download}</div>}
      <p ref={wrong} role="alert" class="wrong">
        {complaint}
      </p>
    </li>
  );
}

function describeAction(state: Submission["state"], isUnsure: boolean, leftMs: number): string {
  if (state === "available") return collect.open;
  return isUnsure ? PAGE.failed.again : collect.showAgain(formatLeft(leftMs));
}

function stateOf({ state }: Submission, isLost: boolean): ShownState {
  switch (state) {
    case "available":
      return { text: collect.states.available, icon: "waiting", tone: "wait" };
    case "claimed":
      return isLost
        ? { text: collect.states.lost, icon: "warning", tone: "warn" }
        : { text: collect.states.claimed, icon: "opened", tone: "good" };
    case "expired":
      return { text: collect.states.expired, icon: "expired", tone: undefined };
    case "revoked":
      return { text: collect.states.revoked, icon: "revoked", tone: undefined };
  }
}

/** The text on the end of a submission: when it expires, or who opened it. */
function describeOutcome({ secret_id: id, state }: Submission, { kept }: Answers, end: string | undefined): string {
  if (state === "available") return end === undefined ? "" : formatTimeLeft(end);
  if (state !== "claimed") return collect.neverOpened;
  const past = readPast(id);
  const claim = kept.claims[id];
  if (past?.kind === "opened" || claim?.replayEndsAt) return collect.openedHere;
  if (past?.kind === "lost") return collect.lost;
  if (claim?.replayEndsAt === null) return end === undefined ? "" : collect.maybe(formatTime(end));
  return collect.byOthers;
}
