import { useEffect, useState } from "preact/hooks";
import { askFirst } from "../frame/dialogs.tsx";
import { Icon } from "../frame/icon.tsx";
import { Complaint } from "../parts/complaint.tsx";
import { formatCountdown } from "../parts/moments.ts";
import { useTask } from "../parts/tasks.ts";
import { OPENING } from "../texts/opening.ts";

const SECOND = 1000;
const { opened } = OPENING;

/** A secret that can be shown again for a while. */
export interface ReplayableSecret {
  /** Until when it can be shown again, in epoch milliseconds by this machine's clock; null when it cannot. */
  readonly until: number | null;
  /** The place that can show it again until then. */
  readonly place: "tab" | "browser";
  /** The number of times that the link can still be opened; null when unknown. */
  readonly left: number | null;
  /** Erases the secret on the server and here. Rejects when the server does not confirm. */
  readonly erase: () => Promise<void>;
}

/** The time left to show a secret again, and a button that erases it. */
export function TimeLeft(props: {
  readonly secret: ReplayableSecret;
  /** True when all of it was saved or copied. */
  readonly isTaken: boolean;
  readonly onErased: () => void;
}) {
  const { secret, isTaken, onErased } = props;
  const leftMs = useTimeLeft(secret.until);
  const task = useTask(() => opened.notErased);
  const question = describeErasing(secret.left);
  const erase = async () => {
    if (!isTaken && !(await askFirst({ ...question, isDangerous: true }))) return;
    await task.run(async (say) => {
      say(opened.erasing);
      await secret.erase();
      onErased();
      return undefined;
    });
  };
  const keepIn = secret.place === "tab" ? opened.keepInTab : opened.keepInBrowser;
  const never = secret.left === 0 ? opened.keep : opened.keepNow;
  const again = leftMs > 0 ? keepIn(formatCountdown(leftMs)) : never;
  // The time that was left when the secret was shown first fills the bar.
  const [wholeMs] = useState(leftMs);
  return (
    <div class="left">
      {leftMs > 0 && <progress class="progress" max={wholeMs} value={leftMs} aria-label={opened.timeLeft} />}
      <p>
        {again} {secret.left !== null && secret.left > 0 && opened.left(secret.left)}
      </p>
      <button type="button" class="button" aria-disabled={task.progress !== ""} onClick={() => void erase()}>
        <Icon name="trash" />
        {task.progress || opened.erase}
      </button>
      <Complaint text={task.complaint} />
    </div>
  );
}

/** The question before erasing a secret that was not saved completely. */
function describeErasing(left: number | null) {
  if (left === null) return opened.eraseFirst(opened.maybeNotAgain);
  return opened.eraseFirst(left === 0 ? opened.notAgain : opened.left(left));
}

/** The milliseconds until `until`, updated every second; 0 once it is over, or for null. */
export function useTimeLeft(until: number | null): number {
  const [, setSeenAt] = useState(0);
  // Read anew: the time of the last tick may be hours old at the first one.
  const leftMs = until === null ? 0 : Math.max(0, until - Date.now());
  useEffect(() => {
    if (leftMs === 0) return undefined;
    const timer = setTimeout(() => setSeenAt(Date.now()), leftMs % SECOND || SECOND);
    return () => clearTimeout(timer);
  }, [leftMs]);
  return leftMs;
}
