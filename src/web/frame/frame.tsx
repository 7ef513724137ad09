import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { BRAND, PRODUCT } from "../browser/brand.ts";
import { COMMAND_LINE, currentPlace, topUrl } from "../browser/places.ts";
import { chooseForGood } from "../languages/choice.ts";
import { isLanguageTag, LANGUAGES } from "../languages/languages.ts";
import { LANGUAGE, PAGE } from "../texts/page.ts";
import { AccountContext } from "./account-context.ts";
import { Dialogs } from "./dialogs.tsx";
import { Icon, Mark } from "./icon.tsx";
import { leave } from "./leaving.ts";
import { useRetryNotice } from "./retries.ts";

const { frame } = PAGE;

/** The frame of every screen: the bar above it, and the foot below. */
export function Frame({ children }: { readonly children: ComponentChildren }) {
  const [account, setAccount] = useState<ComponentChildren>(undefined);
  const retryNotice = useRetryNotice();
  const { kind } = currentPlace();
  const isOfPeople = ["home", "ask", "activity", "account", "audit"].includes(kind);
  useEffect(() => {
    document.body.classList.toggle("alone", !account);
  }, [account === undefined]);
  return (
    <AccountContext.Provider value={setAccount}>
      <Bar account={account} />
      <main class="page">
        <div role="status">
          {retryNotice && (
            <div class="notice warn">
              <Icon name="offline" />
              <p>{retryNotice}</p>
            </div>
          )}
        </div>
        {children}
      </main>
      <Foot isStart={kind === "about" || (!account && isOfPeople)} />
      <Dialogs />
    </AccountContext.Provider>
  );
}

function Bar({ account }: { readonly account: ComponentChildren }) {
  return (
    <header class="bar">
      <a class="brand" href={`${topUrl()}/`}>
        <Logo />
        <span>{BRAND.name}</span>
      </a>
      {account}
    </header>
  );
}

/** The brand's logo, or the product's mark. */
function Logo() {
  const { logo } = BRAND;
  if (!logo) return <Mark />;
  return (
    <picture>
      {logo.dark && <source srcset={logo.dark} media="(prefers-color-scheme: dark)" />}
      <img src={logo.light} alt="" />
    </picture>
  );
}

/** The footer of every screen. The start page adds links for programs. */
function Foot({ isStart }: { readonly isStart: boolean }) {
  const { contact, imprint, privacy } = BRAND;
  // The server does read what it logs.
  const isOfLog = currentPlace().kind === "audit";
  const links: readonly (readonly [string, string | undefined])[] = [
    [frame.about, `${topUrl()}/manual`],
    [frame.commandLine, isStart ? `${topUrl()}/about#${COMMAND_LINE}` : undefined],
    [frame.api, isStart ? `${topUrl()}/docs` : undefined],
    [frame.contact, contact?.href],
    [frame.imprint, imprint],
    [frame.privacy, privacy],
  ];
  return (
    <footer class="foot">
      <div class="foot-row">
        <p>
          <Icon name="lock" />
          <span>{isStart || isOfLog ? describeServer() : frame.promise}</span>
        </p>
        <ul>
          {links.map(
            ([text, address]) =>
              address && (
                <li key={text}>
                  <a href={address}>{text}</a>
                </li>
              ),
          )}
          <li>
            <LanguageChoice />
          </li>
        </ul>
      </div>
    </footer>
  );
}

function describeServer(): string {
  const isBranded = BRAND.name !== PRODUCT;
  return isBranded ? frame.runBy(BRAND.name, location.host) : frame.runOn(location.host);
}

/** Reloads the page in the chosen language, because all texts change. */
function LanguageChoice() {
  const choose = (tag: string) =>
    leave(() => {
      if (isLanguageTag(tag)) chooseForGood(tag);
      location.reload();
    });
  return (
    <label class="language">
      <span class="unseen">{frame.language}</span>
      <select value={LANGUAGE} onChange={(event) => void choose(event.currentTarget.value)}>
        {Object.entries(LANGUAGES).map(([tag, { name }]) => (
          <option key={tag} value={tag} lang={tag}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
