import { useContext, useEffect } from "preact/hooks";
import { topUrl } from "../browser/places.ts";
import { PAGE } from "../texts/page.ts";
import { AccountContext } from "./account-context.ts";
import { initialsOf } from "./account.ts";
import type { Account, Tab } from "./account.ts";
import { Icon } from "./icon.tsx";
import { Menu } from "./menu.tsx";

const { frame } = PAGE;
const TABS: readonly (readonly [Tab, string])[] = [
  ["send", "/"],
  ["ask", "/ask"],
  ["activity", "/activity"],
];

/** Shows `account` in the bar while the screen is mounted. */
export function useAccount(account: Account | undefined): void {
  const show = useContext(AccountContext);
  const { name, address, team, tab, waiting } = account ?? {};
  useEffect(() => {
    show(account && <AccountBar account={account} />);
    return () => show(undefined);
  }, [name, address, team, tab, waiting]);
}

/** The tabs of a person, and the menu of their account. */
function AccountBar({ account }: { readonly account: Account }) {
  return (
    <>
      <nav class="tabs" aria-label={frame.tabs}>
        {TABS.map(([tab, path]) => (
          <a key={tab} href={topUrl() + path} aria-current={account.tab === tab ? "page" : undefined}>
            {frame[tab]}
            {tab === "activity" && account.waiting > 0 && (
              <span class="count">
                {account.waiting}
                <span class="unseen"> {frame.toCollect}</span>
              </span>
            )}
          </a>
        ))}
      </nav>
      <AccountMenu account={account} />
    </>
  );
}

function AccountMenu({ account: { name, address, team, onSignOut } }: { readonly account: Account }) {
  return (
    <Menu
      class="account"
      button={
        <>
          <span class="face" aria-hidden="true">
            {initialsOf(name ?? address)}
          </span>
          <span class="unseen">{frame.accountOf(name ?? address)}</span>
        </>
      }
    >
      <p class="menu-who">
        <b>
          <bdi>{name ?? address}</bdi>
        </b>
        {name !== null && <bdi>{address}</bdi>}
        <bdi>{team}</bdi>
      </p>
      <button type="button" class="button" onClick={onSignOut}>
        <Icon name="signout" />
        {frame.signOut}
      </button>
    </Menu>
  );
}
