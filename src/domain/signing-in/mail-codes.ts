import type { CODE_KINDS, MailRecord, MailStore } from "../ports/mails.ts";
import type { Clock, Ids, Random } from "../ports/sources.ts";
import type { ServerPolicy } from "../server-policies.ts";
import type { BrowserName, SignedIn } from "../sessions.ts";
import { callerGone, Refusal } from "../values/errors.ts";
import { toName } from "../values/name-forms.ts";
import { createToken, hashToken } from "../values/tokens.ts";

/** How long a code works, and how long its mail is tried. */
export const CODE_SECONDS = 600;
/** The number of wrong codes that end an attempt or a proof. */
export const MAX_TRIES = 5;
const SEED_BYTES = 32;
const MAIL_ID_BYTES = 16;

interface MailCodeDeps {
  readonly store: MailStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly ids: Ids;
  readonly policy: ServerPolicy;
}

/** An address that a stranger typed, and their language (BCP 47). */
export interface CodeAsked extends BrowserName {
  readonly address: string;
  readonly language: string;
}

/**
 * Begins a sign-in by mail, and queues the mail. Does the same for every address, so that nothing tells whether it is
 * known: that is looked up when the mail is sent. Resolves the token that the browser has to bring back.
 */
export async function beginMailSignIn(deps: MailCodeDeps, asked: CodeAsked): Promise<string> {
  const { store, random } = deps;
  const address = toName(asked.address);
  const token = createToken("person", random);
  const { mail, seed } = newCodeMail(deps, "sign_in_code", { ...asked, address });
  const attempt = { purpose: "mail_sign_in", challenge: seed, expiresAt: mail.endsAt, address } as const;
  await store.beginMailSignIn(attempt, hashToken(token), mail);
  return token;
}

/** Returns a mail with a code that is to be sent now, and the seed of the code. `more` is added to what it keeps. */
export function newCodeMail(
  { clock, random }: Pick<MailCodeDeps, "clock" | "random">,
  kind: (typeof CODE_KINDS)[number],
  { address, language, browser, system }: CodeAsked,
  more: Readonly<Record<string, string>> = {},
): { readonly mail: MailRecord; readonly seed: string } {
  const seed = random.bytes(SEED_BYTES).toBase64({ alphabet: "base64url", omitPadding: true });
  const now = clock.now();
  const data = { seed, ...more, ...(browser !== null && { browser }), ...(system !== null && { system }) };
  const id = random.bytes(MAIL_ID_BYTES).toHex();
  const times = { createdAt: now, nextAt: now, endsAt: now + CODE_SECONDS * 1000 };
  return { seed, mail: { id, kind, address, language, data, tries: 0, ...times } };
}

/** A typed code, with the token of the attempt; undefined when the browser brought none. */
export interface CodeAnswer extends BrowserName {
  readonly attempt: string | undefined;
  /** Eight digits. */
  readonly code: string;
  /** The token of the browser's current session. */
  readonly former: string | undefined;
  readonly signal?: AbortSignal;
}

/**
 * Begins a session of the person whose code it is, unless the caller is gone. Ends the browser's former session. Throws
 * a Refusal: `credential_invalid` for a wrong code, `credential_expired` for an attempt that is over, was used, or had
 * five wrong codes, `not_found` where there is no mail.
 */
export async function signInWithCode(deps: MailCodeDeps, answer: CodeAnswer): Promise<SignedIn> {
  checkMail(deps.policy);
  const { attempt, browser, code, former, signal, system } = answer;
  if (attempt === undefined) throw over();
  const { policy, ids, random, store, clock } = deps;
  const token = createToken("person", random);
  const session = {
    id: ids.next("session"),
    tokenHash: hashToken(token),
    expiresAt: clock.now() + policy.sessionLifetimeSeconds * 1000,
    browser,
    system,
    formerHash: former === undefined ? undefined : hashToken(former),
  };
  const attemptHash = hashToken(attempt);
  const use = { attemptHash, code, domains: policy.signInDomains, newId: ids.next("identity"), maxTries: MAX_TRIES };
  const signedIn = await store.signInWithCode(use, session, signal);
  if (signedIn === "abandoned") throw callerGone();
  if (signedIn === "over") throw over();
  if (signedIn === "wrong") throw new Refusal("credential_invalid", { detail: "The code is wrong." });
  return { token, session: signedIn, isReplay: false };
}

function over(): Refusal {
  const detail = "The code has expired, was used, or had too many wrong tries. Ask for a new one.";
  return new Refusal("credential_expired", { detail });
}

/** Throws a Refusal `not_found` where there is no mail. */
export function checkMail({ signInWays }: ServerPolicy): void {
  if (!signInWays.includes("mail")) throw new Refusal("not_found", { detail: "This server sends no codes by mail." });
}
