import { useEffect, useRef, useState } from "preact/hooks";
import { useAccount } from "../frame/account-bar.tsx";
import type { Account } from "../frame/account.ts";
import type { Notice } from "../frame/notices.ts";
import { loadPart } from "../parts/loaded-parts.ts";
import type { Person } from "../service/clients.ts";
import { readsAudit, tabsOf } from "../service/scopes.ts";
import { leaveSession } from "./sign-out.ts";
import type { SignedOut } from "./sign-out.ts";

/**
 * Shows the account of `person` in the bar, if there is one. Returns the sign-out function of its menu. `onLeft` is
 * called with the page's next state.
 */
export function usePersonAccount(
  person: Person | undefined,
  { tab, waiting }: Pick<Account, "tab" | "waiting">,
  onLeft: (next: SignedOut | Notice) => void,
): () => void {
  const isLeaving = useRef(false);
  const signOut = async () => {
    if (isLeaving.current || !person) return;
    isLeaving.current = true;
    const next = await leaveSession(person, waiting.toCollect);
    if (next) onLeft(next);
    isLeaving.current = false;
  };
  const onSignOut = () => void signOut();
  useAccount(
    person && { ...factsOf(person), tabs: tabsOf(person), readsAudit: readsAudit(person), tab, waiting, onSignOut },
  );
  return onSignOut;
}

function factsOf({ credential: { person, identity, team } }: Person): Pick<Account, "name" | "address" | "team"> {
  return { name: person?.name ?? null, address: identity?.name ?? "", team: team?.name ?? "" };
}

/**
 * Loads the screen of the account, with the parts of it that other screens show: as files of their own they would split
 * what all screens share. Rejects with a ClientError `stale_page` when it can't.
 */
export const loadAccountScreen = () => loadPart(() => import("../account/account-screen.tsx"));

/** The switch for one kind of mails. Nothing until it is loaded: the account has it too. */
export function MailSwitch(props: { readonly person: Person; readonly kind: "opened" | "asked" }) {
  const [part, setPart] = useState<Awaited<ReturnType<typeof loadAccountScreen>> | undefined>(undefined);
  useEffect(() => void loadAccountScreen().then(setPart, () => undefined), []);
  return part ? <part.NoticeCheck {...props} /> : null;
}
