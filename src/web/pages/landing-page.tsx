import type { ComponentType } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { BRAND } from "../browser/brand.ts";
import { COMMAND_LINE, topUrl } from "../browser/places.ts";
import type { Tab } from "../frame/account.ts";
import { Icon } from "../frame/icon.tsx";
import { useHeading } from "../frame/screens.tsx";
import { Complaint } from "../parts/complaint.tsx";
import { PasteLink } from "../parts/paste-link.tsx";
import type { Visitor } from "../service/clients.ts";
import { LANDING } from "../texts/landing.ts";
import { PAGE } from "../texts/page.ts";
import { MAIL_KIT } from "./mail-kits.ts";
import { hasPasskeySignIn, PasskeySignIn } from "./passkey-sign-in.tsx";

const { landing } = LANDING;

const { encrypted, kept, opened } = landing.steps;

/** What the start page offers to strangers for signing in. */
interface Offer extends Pick<Visitor, "ways"> {
  /** The button of single sign-on, where the server has it. */
  readonly ProviderSignIn: ComponentType | undefined;
}

/** The start page of a person who was signed out, or who opened an address for signed-in people. */
export function SignedOutPage(offer: Offer) {
  return (
    <>
      <div class="notice" role="status">
        <Icon name="signout" />
        <p>{PAGE.signedOut.title}</p>
      </div>
      <LandingPage {...offer} />
    </>
  );
}

/**
 * `/` for strangers, and `/about` for everybody: opening a link, how it works, and signing in, or the tabs of a person
 * who is signed in.
 */
export function LandingPage({
  ways,
  ProviderSignIn,
  tabs,
}: Pick<Offer, "ways"> & Partial<Offer> & { readonly tabs?: readonly Tab[] }) {
  const heading = useHeading(landing.title, "wide");
  const { contact } = BRAND;
  return (
    <>
      <section class="hero">
        <div class="stack">
          <div class="head">
            <h1 ref={heading} tabIndex={-1}>
              {landing.title}
            </h1>
            <p class="lede">{landing.lede}</p>
          </div>
          <PasteLink label={landing.link} hint={landing.hint} />
          {tabs && <Ways tabs={tabs} />}
          {!tabs && ProviderSignIn && <ProviderSignIn />}
          {!tabs && <PasskeySignIn ways={ways} />}
          {!tabs && ways.includes("mail") && <MailPart hasPasskeys={hasPasskeySignIn({ ways })} />}
          {!tabs && !ProviderSignIn && !ways.includes("mail") && (
            <p class="hint">{describeSignIn(hasPasskeySignIn({ ways }), contact !== undefined)}</p>
          )}
          {contact && (
            <p class="hint">
              {landing.contact} <a href={contact.href}>{contact.text}</a>
            </p>
          )}
        </div>
        <Picture />
      </section>
      <section class="three" aria-label={PAGE.frame.about}>
        {[encrypted, kept, opened].map(({ title, text }) => (
          <div key={title}>
            <h2>{title}</h2>
            <p>{text}</p>
          </div>
        ))}
      </section>
      <CommandLine />
    </>
  );
}

/** Signing in by mail, which is loaded where the server has it. */
export function MailPart({ hasPasskeys }: { readonly hasPasskeys: boolean }) {
  const [part, setPart] = useState<Awaited<ReturnType<typeof loadMail>> | undefined>(undefined);
  const [complaint, setComplaint] = useState("");
  useEffect(() => {
    loadMail().then(setPart, () => setComplaint(PAGE.failed.stale));
  }, []);
  return part ? <part.MailSignIn kit={MAIL_KIT} hasPasskeys={hasPasskeys} /> : <Complaint text={complaint} />;
}

const loadMail = () => import("./mail-sign-in.tsx");

/** Links to sending and asking, as far as a person may. */
function Ways({ tabs }: { readonly tabs: readonly Tab[] }) {
  const links = [
    ...(tabs.includes("send") ? [["/", PAGE.titles.send] as const] : []),
    ...(tabs.includes("ask") ? [["/ask", PAGE.titles.ask] as const] : []),
  ];
  return (
    <p>
      {links.map(([path, text], index) => (
        <>
          {index > 0 && " · "}
          <a key={path} href={topUrl() + path}>
            {text}
          </a>
        </>
      ))}
    </p>
  );
}

/** How a stranger signs in. An admin's name is known where there is a contact. */
function describeSignIn(hasPasskeys: boolean, hasContact: boolean): string {
  if (hasPasskeys) return hasContact ? landing.withoutPasskey : landing.withoutPasskeyByAdmin;
  return hasContact ? landing.signIn : landing.signInByAdmin;
}

/** A sealed envelope with a letter in it, whose lines are hidden. */
function Picture() {
  const inside = "M30 150 198 40q12-8 24 0l168 110-180 112z";
  return (
    <svg class="hero-art" viewBox="0 0 420 340" aria-hidden="true">
      <defs>
        <pattern id="lining" width="10" height="10" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <path class="art-weave" d="M0 .5h10M.5 0v10" />
        </pattern>
      </defs>
      <path class="art-inside" d={inside} />
      <path fill="url(#lining)" d={inside} />
      <rect class="art-paper" x="72" y="84" width="276" height="170" rx="12" />
      <path class="art-line" d="M100 122h92M100 150h150" />
      <rect class="art-inside" x="95" y="172" width="180" height="22" rx="5" />
      <rect fill="url(#lining)" x="95" y="172" width="180" height="22" rx="5" />
      <path class="art-front" d="M30 150v140a20 20 0 0 0 20 20h320a20 20 0 0 0 20-20V150L226 244q-16 10-32 0z" />
      <circle class="art-seal" cx="210" cy="262" r="24" />
      <circle class="art-hole" cx="210" cy="257" r="6.5" />
      <path class="art-hole" d="m206.500 260-3 13h13l-3-13z" />
    </svg>
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
