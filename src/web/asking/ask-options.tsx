import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { TicketField } from "../composing/ticket-field.tsx";
import type { TicketDraft } from "../composing/ticket-field.tsx";
import { Icon } from "../frame/icon.tsx";
import type { CountDraft } from "../parts/counts.ts";
import { formatDuration, formatNumber } from "../parts/formats.ts";
import type { LifetimeDraft } from "../parts/lifetimes.ts";
import { CountChoices, LifetimeChoices } from "../parts/terms-choices.tsx";
import { STRINGS } from "../strings.ts";

const { ask, terms } = STRINGS;

/** The terms of a request in one line, which opens to change them. */
export function AskOptions(props: {
  readonly lifetime: LifetimeDraft;
  readonly count: CountDraft;
  readonly ticket: TicketDraft;
  readonly isBusy: boolean;
  readonly children: ComponentChildren;
}) {
  const { lifetime, count, ticket, isBusy, children } = props;
  const [isOpen, setOpen] = useState(false);
  const isWrong = [lifetime, count, ticket].some(({ complaint }) => complaint !== "");
  useEffect(() => {
    if (isWrong) setOpen(true);
  }, [isWrong]);
  return (
    <details class="options" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <Icon name="waiting" />
        <span class="options-text">{describePolicy(lifetime.seconds, count.value)}</span>
        <span class="options-change shut-only">{terms.change}</span>
        <Icon name="chevron" class="chevron" />
      </summary>
      <div class="options-body">
        <LifetimeChoices legend={terms.lifetime} lifetime={lifetime} />
        <CountChoices legend={ask.count} count={count} describe={formatNumber} />
        <TicketField ticket={ticket} isBusy={isBusy} />
        {children}
      </div>
    </details>
  );
}

function describePolicy(seconds: number | undefined, count: number | undefined): string {
  return seconds === undefined || count === undefined ? terms.unclear : ask.policy(formatDuration(seconds), count);
}
