import { Interruption } from "../frame/interruption.tsx";
import type { Live } from "./live.ts";

/** The line above content that is no longer updated, or may be out of date. */
export function LiveNotice({ live: { problem, stale, restart } }: { readonly live: Live<unknown> }) {
  if (problem) return <Interruption text={problem} onRetry={restart} />;
  return stale ? <Interruption text={stale} /> : null;
}
