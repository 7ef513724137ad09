/** The tabs of a signed-in person. */
export type Tab = "send" | "ask" | "activity";

/** The numbers of what waits for a person: secrets to collect, and asks for approval to decide. */
export interface Waiting {
  readonly toCollect: number;
  readonly asks: number;
}

export const NOTHING_WAITS: Waiting = { toCollect: 0, asks: 0 };

/** A signed-in person as the bar shows them. */
export interface Account {
  /** The name that an admin gave them; null when there is none. */
  readonly name: string | null;
  /** The address they were added as, such as `ann@example.com`. */
  readonly address: string;
  readonly team: string;
  /** The tabs that they may use, in their order. */
  readonly tabs: readonly Tab[];
  /** The open tab; undefined on other screens. */
  readonly tab: Tab | undefined;
  /** True when they may read the audit of their team. */
  readonly readsAudit: boolean;
  readonly waiting: Waiting;
  readonly onSignOut: () => void;
}

/** The initials of a name: the first letters of its first and last words. */
export function initialsOf(name: string): string {
  const words =
    name
      .split("@", 1)[0]
      ?.split(/[\s._-]+/u)
      .filter(Boolean) ?? [];
  const [first, last] = [words[0], words.length > 1 ? words.at(-1) : undefined];
  return [first, last]
    .map((word) => firstOf(word ?? ""))
    .join("")
    .toLocaleUpperCase();
}

/** The first visible character, which may have several code points. */
function firstOf(word: string): string {
  return [...new Intl.Segmenter().segment(word)][0]?.segment ?? "";
}
