import type { StoreContext } from "./engine/context.ts";

/**
 * Keeps the time by which `rows` have expired: whoever has been told that must never be told otherwise, whatever the clock
 * does after a crash. The sweeper does the rest.
 */
export function keepExpiries(
  { keepTime }: Pick<StoreContext, "keepTime">,
  rows: readonly { readonly expiresAt: number }[],
): Promise<void> {
  return keepTime(Math.max(0, ...rows.map(({ expiresAt }) => expiresAt)));
}
