import { createContext } from "preact";
import { useContext, useEffect } from "preact/hooks";

/** The tabs of somebody who is signed in. */
export type Tab = "send" | "ask" | "activity";

/** A person who is signed in, as the bar shows them. */
export interface Account {
  /** Their name as an admin wrote it; null where none was given. */
  readonly name: string | null;
  /** The address they were added as, such as `ann@example.com`. */
  readonly address: string;
  readonly team: string;
  /** The tab that is open; undefined beside them all. */
  readonly tab: Tab | undefined;
  /** The number of secrets that wait to be collected. */
  readonly waiting: number;
  readonly onSignOut: () => void;
}

/** Takes the account that the bar is to show. */
export const AccountContext = createContext<(account: Account | undefined) => void>(() => undefined);

/** Has the bar show `account` for as long as the screen is there. */
export function useAccount(account: Account | undefined): void {
  const show = useContext(AccountContext);
  const { name, address, team, tab, waiting } = account ?? {};
  useEffect(() => {
    show(account);
    return () => show(undefined);
  }, [name, address, team, tab, waiting]);
}

/** The letters that stand for a name: the first ones of its first and its last word. */
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

/** The first character as a reader sees it, which may be of several code points. */
function firstOf(word: string): string {
  return [...new Intl.Segmenter().segment(word)][0]?.segment ?? "";
}
