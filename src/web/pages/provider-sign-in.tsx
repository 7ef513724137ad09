import { useState } from "preact/hooks";
import { beginProviderSignIn, signInWithProvider } from "../../client/page/providers.ts";
import type { OidcSignInBody } from "../../contract/credentials.ts";
import { topUrl } from "../browser/places.ts";
import { rememberProvider, takeProvider } from "../browser/provider-marks.ts";
import { announceSession } from "../browser/session-news.ts";
import { readKept, removeKept, writeKept } from "../browser/tab-storage.ts";
import { Icon } from "../frame/icon.tsx";
import { NoticeScreen } from "../frame/screens.tsx";
import { Complaint } from "../parts/complaint.tsx";
import { findPerson } from "../service/clients.ts";
import { LANDING } from "../texts/landing.ts";
import { PAGE } from "../texts/page.ts";
import { SINGLE_SIGN_ON } from "../texts/single-sign-on.ts";
import { findCookieFault } from "./cookies.ts";
import { FRESH } from "./freshness.ts";
import { WhomToAsk } from "./whom-to-ask.tsx";

const { provider: words } = SINGLE_SIGN_ON;
const { failed } = PAGE;

/** Paths that a person goes on at once they have signed in, and when the provider says that they didn't. */
interface Returning {
  readonly done: string;
  readonly canceled: string;
}

/** The name under which a tab keeps them. */
const RETURNING = "company sign-in";

/** A button by which a stranger signs in with the account of their company. */
export function ProviderSignIn() {
  return <ReturningSignIn returning={undefined} />;
}

/**
 * The same button for a person who returns to what they were about to do. With `choosesAccount`, the provider asks
 * which account it is.
 */
export function ReturningSignIn(props: {
  readonly returning: Returning | undefined;
  readonly choosesAccount?: boolean;
}) {
  const { returning, choosesAccount = false } = props;
  const [isBusy, setBusy] = useState(false);
  const [complaint, setComplaint] = useState("");
  const submit = async () => {
    if (isBusy) return;
    setBusy(true);
    setComplaint("");
    keepReturning(returning);
    setComplaint(await leaveForProvider({ silent: false, other_account: choosesAccount }));
    setBusy(false);
  };
  return (
    <div class="stack-s">
      <div class="buttons">
        <button type="button" class="button" aria-disabled={isBusy} onClick={() => void submit()}>
          <Icon name="lock" />
          {isBusy ? LANDING.signIn.busy : words.button}
        </button>
      </div>
      <Complaint text={complaint} />
    </div>
  );
}

/**
 * Asks the provider once, without a word, whether the person is still signed in there, in a browser whose last sign-in
 * was by it. Resolves when it doesn't leave the page.
 */
export async function signInSilently(): Promise<void> {
  if (!takeProvider() || findCookieFault()) return;
  keepReturning({ done: location.pathname + location.hash, canceled: new URL(`${topUrl()}/`).pathname });
  // It asked nobody yet, so it may ask with the next page.
  if ((await leaveForProvider({ silent: true })) === failed.limited) rememberProvider();
}

/** Goes to the provider, and never resolves; or resolves with a complaint. */
async function leaveForProvider(body: OidcSignInBody): Promise<string> {
  // Checked before the person types a password in vain.
  if (findCookieFault()) return LANDING.signIn.passkey.noCookie;
  try {
    const begun = await beginProviderSignIn(topUrl(), body);
    if (!begun.ok) return await describe(begun);
    const { url } = (await begun.json()) as { readonly url: string };
    location.assign(url);
    return await new Promise(() => undefined);
  } catch {
    return failed.network.text;
  }
}

/** Signs in with what the provider sent the browser back with. Resolves with a complaint, or leaves the page. */
export async function finishProviderSignIn(
  query: string,
): Promise<{ readonly kind: "refused"; readonly text: string; readonly returning: Returning | undefined }> {
  const returning = findReturning();
  keepReturning(undefined);
  const refused = (text: string) => ({ kind: "refused", text, returning }) as const;
  if (new URLSearchParams(query).has("error")) {
    return returning ? goTo(returning.canceled) : refused(words.canceled);
  }
  try {
    const answer = await signInWithProvider(topUrl(), query);
    if (!answer.ok) return refused(await describe(answer));
    if (!(await findPerson())) return refused(LANDING.signIn.passkey.noCookie);
  } catch {
    return refused(failed.network.text);
  }
  announceSession("signed-in");
  rememberProvider();
  return goTo(returning?.done ?? `${topUrl()}/#${FRESH}`);
}

/** The screen of a sign-in that failed. */
export function RefusedScreen({ text, returning }: Omit<Awaited<ReturnType<typeof finishProviderSignIn>>, "kind">) {
  return (
    <NoticeScreen notice={{ title: words.failed, text, icon: "lock", tone: "warn" }}>
      <ReturningSignIn returning={returning} choosesAccount={text === words.refused} />
      <WhomToAsk />
    </NoticeScreen>
  );
}

function keepReturning(returning: Returning | undefined): void {
  if (returning) writeKept(RETURNING, returning);
  else removeKept(RETURNING);
}

function findReturning(): Returning | undefined {
  const { done, canceled } = Object(readKept(RETURNING)) as Readonly<Record<string, unknown>>;
  return isOwnPath(done) && isOwnPath(canceled) ? { done, canceled } : undefined;
}

function isOwnPath(path: unknown): path is string {
  return typeof path === "string" && /^\/(?!\/)/.test(path);
}

function goTo(address: string): Promise<never> {
  location.replace(address);
  return new Promise(() => undefined);
}

async function describe(answer: Response): Promise<string> {
  if (answer.status === 429) return failed.limited;
  const problem = (await answer.json().catch(() => undefined)) as { readonly code?: unknown } | undefined;
  switch (problem?.code) {
    case "provider_unavailable":
      return words.unavailable;
    case "credential_expired":
      return words.late;
    case "credential_invalid":
      return words.refused;
    default:
      return answer.status >= 500 ? failed.busy.text : failed.other;
  }
}
