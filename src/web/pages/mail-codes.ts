import { askForCode, signInWithCode } from "../../client/page/mails.ts";
import { MAIL } from "../texts/mail.ts";
import type { MailKit } from "./mail-kits.ts";

const { mail: words } = MAIL;
const KEPT_AS = "mail-code";
/** How long a code works. */
const CODE_MS = 600_000;

/**
 * Sends a code to an address, if the server knows it. Returns a complaint; undefined when there is none. Never rejects.
 */
export async function sendCode(
  { findCookieFault, topUrl, signIn, failed }: MailKit,
  address: string,
): Promise<string | undefined> {
  // Checked before somebody waits for a mail in vain.
  if (findCookieFault()) return signIn.passkey.noCookie;
  try {
    const answer = await askForCode(topUrl(), { address, language: document.documentElement.lang });
    if (answer.status === 422) return words.malformed;
    if (answer.status === 429) return words.limited;
    if (!answer.ok) return answer.status >= 500 ? failed.busy.text : failed.other;
    keep(JSON.stringify({ address, until: Date.now() + CODE_MS }));
    return undefined;
  } catch {
    return failed.network.text;
  }
}

/** Signs in with a code. Resolves "signed-in" or a complaint. Never rejects. */
export async function useCode(kit: MailKit, code: string): Promise<"signed-in" | { readonly complaint: string }> {
  try {
    const answer = await signInWithCode(kit.topUrl(), code);
    if (!answer.ok) return { complaint: await describe(kit, answer) };
    forgetAddress();
    return (await kit.findPerson()) ? "signed-in" : { complaint: kit.signIn.passkey.noCookie };
  } catch {
    return { complaint: kit.failed.network.text };
  }
}

async function describe({ failed }: MailKit, answer: Response): Promise<string> {
  if (answer.status === 429) return failed.limited;
  if (answer.status >= 500) return failed.busy.text;
  if (answer.status !== 401) return failed.other;
  const problem = (await answer.json().catch(() => undefined)) as { readonly code?: unknown } | undefined;
  return problem?.code === "credential_expired" ? words.over : words.wrong;
}

/** The address that this tab has asked a code for; undefined when that is over. The tab of a phone may be reloaded. */
export function findAddress(): string | undefined {
  try {
    const { address, until } = JSON.parse(sessionStorage.getItem(KEPT_AS) ?? "{}") as Record<string, unknown>;
    return typeof address === "string" && typeof until === "number" && until > Date.now() ? address : undefined;
  } catch {
    return undefined;
  }
}

/** Forgets that address. */
export function forgetAddress(): void {
  keep("{}");
}

/** Even reading the property throws in browsers that are set to block storage. */
function keep(text: string): void {
  try {
    sessionStorage.setItem(KEPT_AS, text);
  } catch {
    // The screen goes on without it, until it is loaded again.
  }
}
