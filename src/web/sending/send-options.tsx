import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Icon } from "../frame/icon.tsx";
import type { CountDraft } from "../parts/counts.ts";
import { formatDuration } from "../parts/formats.ts";
import type { LifetimeDraft } from "../parts/lifetimes.ts";
import { CountChoices, LifetimeChoices } from "../parts/terms-choices.tsx";
import { STRINGS } from "../strings.ts";

const { send, terms } = STRINGS;

/** The terms of a link in one line, which opens to change them. */
export function SendOptions(props: {
  readonly lifetime: LifetimeDraft;
  readonly count: CountDraft;
  readonly hasPassphrase: boolean;
  /** True when a term is invalid, so that the line must open. */
  readonly isWrong: boolean;
  /** The number of submissions that failed their checks. */
  readonly attempts: number;
  readonly children: ComponentChildren;
}) {
  const { lifetime, count, hasPassphrase, isWrong, attempts, children } = props;
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    if (isWrong) setOpen(true);
  }, [isWrong, attempts]);
  return (
    <details class="options" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <Icon name="waiting" />
        <span class="options-text">{describePolicy(lifetime.seconds, count.value, hasPassphrase)}</span>
        <span class="options-change">{isOpen ? "" : terms.change}</span>
        <Icon name="chevron" class="chevron" />
      </summary>
      <div class="options-body">
        <LifetimeChoices legend={terms.lifetime} lifetime={lifetime} />
        <CountChoices
          legend={send.claims}
          count={count}
          describe={(each) => (each === 1 ? terms.once : terms.times(each))}
        />
        {children}
      </div>
    </details>
  );
}

function describePolicy(seconds: number | undefined, times: number | undefined, hasPassphrase: boolean): string {
  if (seconds === undefined || times === undefined) return terms.unclear;
  return send.policy(formatDuration(seconds), times, hasPassphrase ? send.withPassphrase : send.withoutPassphrase);
}
