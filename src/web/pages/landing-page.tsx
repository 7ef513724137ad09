import { useEffect, useRef } from "preact/hooks";
import { BRAND } from "../browser/brand.ts";
import { COMMAND_LINE, topUrl } from "../browser/places.ts";
import { Icon } from "../frame/icon.tsx";
import type { IconName } from "../frame/icon.tsx";
import { Screen } from "../frame/screens.tsx";
import { Fact } from "../parts/fact.tsx";
import { PasteLink } from "../parts/paste-link.tsx";
import { LANDING } from "../texts/landing.ts";
import { PAGE } from "../texts/page.ts";

const { landing } = LANDING;

const STEPS: readonly (readonly [IconName, { readonly title: string; readonly text: string }])[] = [
  ["lock", landing.steps.encrypted],
  ["waiting", landing.steps.kept],
  ["opened", landing.steps.opened],
];

/** The start page of a person who was signed out, or who opened an address for signed-in people. */
export function SignedOutPage() {
  return (
    <>
      <div class="notice" role="status">
        <Icon name="signout" />
        <p>{PAGE.signedOut.title}</p>
      </div>
      <LandingPage />
    </>
  );
}

/** `/` for strangers, and `/about` for everybody: opening a link, how it works, and signing in. */
export function LandingPage({ isSignedIn = false }: { readonly isSignedIn?: boolean }) {
  const { contact } = BRAND;
  return (
    <Screen title={landing.title} lede={landing.lede}>
      <PasteLink label={landing.link} placeholder={landing.placeholder} hint={landing.hint} />
      <hr class="rule" />
      <div class="stack-m">
        <h2>{PAGE.frame.about}</h2>
        <ul class="facts">
          {STEPS.map(([icon, { title, text }]) => (
            <Fact key={icon} icon={icon} meaning={text}>
              {title}
            </Fact>
          ))}
        </ul>
        <p>
          <a href={`${topUrl()}/manual`}>{landing.manual}</a>
        </p>
      </div>
      <hr class="rule" />
      <div class="stack-s">
        <h2>{landing.send}</h2>
        {isSignedIn ? (
          <p>
            <a href={`${topUrl()}/`}>{PAGE.titles.send}</a> · <a href={`${topUrl()}/ask`}>{PAGE.titles.ask}</a>
          </p>
        ) : (
          <p class="quiet">{contact ? landing.signIn : landing.signInByAdmin}</p>
        )}
        {contact && (
          <p class="quiet">
            {landing.contact} <a href={contact.href}>{contact.text}</a>
          </p>
        )}
      </div>
      <CommandLine />
    </Screen>
  );
}

/** The section for terminals and programs. It is open when the address names it. */
function CommandLine() {
  const details = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const show = () => {
      if (location.hash !== `#${COMMAND_LINE}` || !details.current) return;
      details.current.open = true;
      details.current.querySelector("summary")?.focus();
    };
    // A screen that takes the place of another gives its heading the focus first.
    const frame = requestAnimationFrame(show);
    addEventListener("hashchange", show);
    return () => {
      cancelAnimationFrame(frame);
      removeEventListener("hashchange", show);
    };
  }, []);
  return (
    <details ref={details} class="options" id={COMMAND_LINE}>
      <summary>
        <Icon name="text" />
        <span class="options-text">{landing.commandLine}</span>
        <Icon name="chevron" class="chevron" />
      </summary>
      <div class="options-body">
        <p class="small">{landing.commandLineText}</p>
        <pre class="link" tabIndex={0} aria-label={landing.commandLine} dir="ltr" translate={false}>
          {`handoff login\nhandoff send`}
        </pre>
        <p class="small">
          <a href={`${topUrl()}/docs`}>{landing.docs}</a>
        </p>
      </div>
    </details>
  );
}
