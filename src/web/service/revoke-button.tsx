import { describeSessionFailure } from "../parts/failures.ts";
import { useTask } from "../parts/tasks.ts";
import { ACTIVITY } from "../texts/activity.ts";

/** The state of a revocation. */
export interface Revocation {
  readonly isBusy: boolean;
  /** The complaint about the last attempt; empty when there is none. */
  readonly complaint: string;
  readonly begin: () => void;
}

/** Creates a revocation that calls `revoke` once `ask` resolves with true. */
export function useRevocation(ask: () => Promise<boolean>, revoke: () => Promise<void>): Revocation {
  const task = useTask((error) => describeSessionFailure(error).text);
  const isBusy = task.progress !== "";
  const begin = async () => {
    if (isBusy || !(await ask())) return;
    await task.run(async (say) => {
      say(ACTIVITY.revoking);
      await revoke();
      return undefined;
    });
  };
  return { isBusy, complaint: task.complaint, begin: () => void begin() };
}

/** A button that revokes, and shows its progress. */
export function RevokeButton({ revocation, label }: { readonly revocation: Revocation; readonly label: string }) {
  const { isBusy, begin } = revocation;
  return (
    <button type="button" class="button text" aria-disabled={isBusy} onClick={begin}>
      <span aria-live="polite">{isBusy ? ACTIVITY.revoking : label}</span>
    </button>
  );
}
