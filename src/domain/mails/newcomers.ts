import type { Clock } from "../ports/sources.ts";

/** The mails to people of a domain who are still to be added: at once, and the pause for each further one. */
const AT_ONCE = 50;
const PAUSE_MS = 2000;

/**
 * Limits the mails to addresses that a sign-in domain lets in and nobody has used yet, which anybody can make up. Codes
 * of people who are known don't wait behind them. Returns a function that is false when a mail has to wait.
 */
export function createNewcomerLimit(clock: Clock): (address: string) => boolean {
  /** For each domain, when it has as many mails left as at first. */
  const full = new Map<string, number>();
  return (address) => {
    const domain = address.slice(address.lastIndexOf("@") + 1).toLowerCase();
    const from = Math.max(full.get(domain) ?? 0, clock.now());
    if (from - clock.now() > (AT_ONCE - 1) * PAUSE_MS) return false;
    full.set(domain, from + PAUSE_MS);
    return true;
  };
}
