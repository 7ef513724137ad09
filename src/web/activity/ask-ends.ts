import { useEffect } from "preact/hooks";
import type { AskEnd } from "../../client/signing-in/ask-ends.ts";

/** A clock that is ahead must not lead to one reading after the other. */
const MIN_PAUSE_MS = 30_000;

/** Calls `onOver` when the first of `asks` is over by this machine's clock: the server knows better. */
export function useFirstEnd(asks: readonly AskEnd[] | undefined, onOver: () => Promise<void>): void {
  useEffect(() => {
    if (!asks || asks.length === 0) return undefined;
    const first = Math.min(...asks.map(({ expires_at: end }) => Date.parse(end)));
    // What is no time counts as none. After an outage, the asks are read again anyway.
    const pause = Math.max(MIN_PAUSE_MS, first - Date.now() || 0);
    const timer = setTimeout(() => void onOver().catch(() => undefined), pause);
    return () => clearTimeout(timer);
  }, [asks]);
}
