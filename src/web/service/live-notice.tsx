import { Interruption } from "../frame/screens.tsx";
import type { Live } from "./live.ts";

/** The line above something that is no longer brought up to date, or may be out of date for now. */
export function LiveNotice({ live: { problem, stale, restart } }: { readonly live: Live<unknown> }) {
  if (problem) return <Interruption text={problem} onRetry={restart} />;
  return stale ? <Interruption text={stale} /> : null;
}
