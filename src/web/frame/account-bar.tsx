import { useContext, useEffect } from "preact/hooks";
import { topUrl } from "../browser/places.ts";
import { MENU } from "../texts/menu.ts";
import { AccountContext } from "./account-context.ts";
import { initialsOf, NOTHING_WAITS } from "./account.ts";
import type { Account, Tab } from "./account.ts";
import { Drawing, Icon } from "./icon.tsx";
import { Menu } from "./menu.tsx";

const { menu } = MENU;
const PERSON = "M8.25 8.5a3.75 3.75 0 1 0 7.5 0 3.75 3.75 0 1 0-7.5 0zM5 20c0-3.75 2.75-6 7-6s7 2.25 7 6";
const PATHS: Readonly<Record<Tab, string>> = { send: "/", ask: "/ask", activity: "/activity" };

/** Shows `account` in the bar while the screen is mounted. */
export function useAccount(account: Account | undefined): void {
  const show = useContext(AccountContext);
  const { name, address, team, tabs = [], tab, readsAudit, waiting = NOTHING_WAITS } = account ?? {};
  useEffect(() => {
    show(account && <AccountBar account={account} />);
    return () => show(undefined);
  }, [name, address, team, tabs.join(" "), tab, readsAudit, waiting.toCollect, waiting.asks]);
}

/** The tabs of a person, and the menu of their account. */
function AccountBar({ account }: { readonly account: Account }) {
  const count = account.waiting.toCollect + account.waiting.asks;
  return (
    <>
      {account.tabs.length > 0 && (
        <nav class="tabs" aria-label={menu.tabs}>
          {account.tabs.map((tab) => (
            <a key={tab} href={topUrl() + PATHS[tab]} aria-current={account.tab === tab ? "page" : undefined}>
              {menu[tab]}
              {tab === "activity" && count > 0 && (
                <span class="count">
                  {count}
                  <span class="unseen"> {menu.forYou}</span>
                </span>
              )}
            </a>
          ))}
        </nav>
      )}
      <AccountMenu account={account} />
    </>
  );
}

function AccountMenu({ account: { name, address, team, readsAudit, onSignOut } }: { readonly account: Account }) {
  return (
    <Menu
      class="account"
      button={
        <>
          <span class="face" aria-hidden="true">
            {initialsOf(name ?? address)}
          </span>
          <span class="unseen">{menu.accountOf(name ?? address)}</span>
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
      <a class="button" href={`${topUrl()}/account`}>
        <Drawing shape={PERSON} />
        {menu.account}
      </a>
      {readsAudit && (
        <a class="button" href={`${topUrl()}/audit`}>
          <Icon name="text" />
          {menu.audit}
        </a>
      )}
      <button type="button" class="button" onClick={onSignOut}>
        <Icon name="signout" />
        {menu.signOut}
      </button>
    </Menu>
  );
}
