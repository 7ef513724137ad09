import { changeSecret } from "../../client/secrets.ts";
import type { Secret } from "../../contract/secrets.ts";
import { Icon } from "../frame/icon.tsx";
import { Complaint } from "../parts/complaint.tsx";
import { describeSessionFailure } from "../parts/failures.ts";
import { formatDuration } from "../parts/formats.ts";
import { lifetimesWithin } from "../parts/lifetimes.ts";
import { useTask } from "../parts/tasks.ts";
import { requirePerson } from "../service/clients.ts";
import type { Person } from "../service/clients.ts";
import { ACTIVITY } from "../texts/activity.ts";
import { SENDING } from "../texts/sending.ts";

const { extend: words } = ACTIVITY.activity;

/** Lets a secret that waits be opened for longer, or once more than before. */
export function Extension(props: {
  readonly person: Person;
  readonly secret: Secret;
  readonly onChanged: () => Promise<void>;
}) {
  const { person, secret, onChanged } = props;
  const { limits } = person.credential;
  const task = useTask((error) => describeSessionFailure(error).text);
  const leftMs = Date.parse(secret.expires_at) - Date.now();
  const longer = lifetimesWithin(limits).filter((seconds) => 1000 * seconds > leftMs);
  const canOpenMore = secret.max_claims < limits.max_claims;
  const isBusy = task.progress !== "";
  const change = (terms: Parameters<typeof changeSecret>[2]) => {
    if (isBusy) return;
    void task.run(async (say) => {
      say(words.busy);
      await requirePerson(person);
      await changeSecret(person.client, secret.id, terms);
      await onChanged();
      return undefined;
    });
  };
  if (longer.length === 0 && !canOpenMore) return null;
  return (
    <details class="options">
      <summary>
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
        <Complaint text={task.complaint} />
      </div>
    </details>
  );
}
