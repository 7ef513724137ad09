import { useEffect, useRef, useState } from "preact/hooks";
import { changeSecret } from "../../client/secrets.ts";
import type { Secret } from "../../contract/secrets.ts";
import { describeTermsFailure } from "../composing/terms-failures.ts";
import { Icon } from "../frame/icon.tsx";
import { Complaint } from "../parts/complaint.tsx";
import { formatDuration, formatTime } from "../parts/formats.ts";
import { lifetimesWithin } from "../parts/lifetimes.ts";
import { useTask } from "../parts/tasks.ts";
import { requirePerson } from "../service/clients.ts";
import type { Person } from "../service/clients.ts";
import { ACTIVITY } from "../texts/activity.ts";
import { SENDING } from "../texts/sending.ts";

const { extend: words } = ACTIVITY.activity;

/** A longer lifetime than the rest of the current one is offered from this factor on. */
const WORTHWHILE = 1.1;

/** Lets a secret that waits be opened for longer, or once more than before. */
export function Extension(props: {
  readonly person: Person;
  readonly secret: Secret;
  readonly onChanged: () => Promise<void>;
}) {
  const { person, secret, onChanged } = props;
  const { limits } = person.credential;
  const task = useTask(describeTermsFailure);
  const leftMs = Date.parse(secret.expires_at) - Date.now();
  const longer = lifetimesWithin(limits).filter((seconds) => 1000 * seconds > WORTHWHILE * leftMs);
  const canOpenMore = secret.max_claims < limits.max_claims;
  const [changed, setChanged] = useState<"longer" | "more" | undefined>(undefined);
  const summary = useRef<HTMLElement>(null);
  const said = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (changed === undefined) return;
    // The pressed button may be gone, and the focus with it.
    summary.current?.focus();
    said.current?.scrollIntoView({ block: "nearest" });
  }, [changed]);
  const isBusy = task.progress !== "";
  const change = (terms: Parameters<typeof changeSecret>[2]) => {
    if (isBusy) return;
    setChanged(undefined);
    void task.run(async (say) => {
      say(words.busy);
      await requirePerson(person);
      await changeSecret(person.client, secret.id, terms);
      await onChanged();
      setChanged(terms.maxClaims === undefined ? "longer" : "more");
      return undefined;
    });
  };
  if (longer.length === 0 && !canOpenMore && changed === undefined) return null;
  return (
    <details class="options">
      <summary ref={summary}>
        <Icon name="waiting" />
        <span class="options-text" aria-live="polite">
          {task.progress || words.title}
        </span>
        <Icon name="chevron" class="chevron" />
      </summary>
      <div class="options-body">
        {longer.length > 0 && (
          <div role="group" aria-label={SENDING.terms.lifetime}>
            <p class="label" aria-hidden="true">
              {SENDING.terms.lifetime}
            </p>
            <div class="choices">
              {longer.map((seconds) => (
                <button
                  key={seconds}
                  type="button"
                  class="button"
                  aria-disabled={isBusy}
                  onClick={() => change({ ttlSeconds: seconds })}
                >
                  {formatDuration(seconds)}
                </button>
              ))}
            </div>
          </div>
        )}
        {canOpenMore && (
          <button
            type="button"
            class="button"
            aria-disabled={isBusy}
            onClick={() => change({ maxClaims: secret.max_claims + 1 })}
          >
            {words.onceMore}
          </button>
        )}
        <div>
          <p ref={said} role="status">
            {changed === "longer" && words.longer(formatTime(secret.expires_at))}
            {changed === "more" && words.more(secret.max_claims)}
          </p>
          <Complaint text={task.complaint} />
        </div>
      </div>
    </details>
  );
}
