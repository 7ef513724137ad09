import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Icon } from "../frame/icon.tsx";
import { Complaint } from "../parts/complaint.tsx";
import type { CountDraft } from "../parts/counts.ts";
import { formatDuration } from "../parts/formats.ts";
import type { LifetimeDraft } from "../parts/lifetimes.ts";
import { CountChoices, LifetimeChoices } from "../parts/terms-choices.tsx";
import { SENDING } from "../texts/sending.ts";
import type { ChosenPeople } from "./chosen-people.ts";
import { PEOPLE_KIT } from "./people-kit.ts";

const { terms } = SENDING;

/** The terms of a link in one line, which opens to change them. */
export function TermsOptions(props: {
  readonly lifetime: LifetimeDraft;
  readonly count: CountDraft;
  readonly countLegend: string;
  /** Returns the text of a chip for a count. */
  readonly describeCount: (count: number) => string;
  /** Returns the line. */
  readonly describe: (lifetime: string, count: number) => string;
  readonly people: ChosenPeople;
  /** The last words of the line; empty for none. */
  readonly also?: string;
  /** Called when the line is opened or closed. */
  readonly onToggle?: () => void;
  readonly isBusy: boolean;
  /** True when a term is invalid, so that the line must open. */
  readonly isWrong: boolean;
  /** The number of submissions that failed their checks. */
  readonly attempts?: number;
  readonly children: ComponentChildren;
}) {
  const { lifetime, count, countLegend, describeCount, describe, people, isBusy, isWrong, attempts, children } = props;
  const { also = "", onToggle } = props;
  const { part } = people;
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    if (isWrong) setOpen(true);
  }, [isWrong, attempts]);
  const isClear = lifetime.seconds !== undefined && count.value !== undefined;
  return (
    <details
      class="options"
      open={isOpen}
      onToggle={(event) => {
        setOpen(event.currentTarget.open);
        people.load();
        onToggle?.();
      }}
    >
      <summary>
        <Icon name="waiting" />
        <span class="options-text">
          {isClear ? describe(formatDuration(lifetime.seconds), count.value) : terms.unclear}
          {part && people.people.length > 0 && ` · ${part.words.only}`}
          {also !== "" && ` · ${also}`}
        </span>
        <span class="options-change shut-only">{terms.change}</span>
        <Icon name="chevron" class="chevron" />
      </summary>
      <div class="options-body">
        <LifetimeChoices legend={terms.lifetime} lifetime={lifetime} />
        <CountChoices legend={countLegend} count={count} describe={describeCount} />
        {part ? (
          <part.PeopleField kit={PEOPLE_KIT} chosen={people} isBusy={isBusy} />
        ) : (
          <Complaint text={people.complaint} />
        )}
        {children}
      </div>
    </details>
  );
}
