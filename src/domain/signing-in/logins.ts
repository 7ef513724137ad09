import type { PersonCaller } from "../callers.ts";
import type { LoginRecord, LoginStore } from "../ports/logins.ts";
import type { PersonStore, SessionRecord } from "../ports/persons.ts";
import type { Clock, Ids, Random } from "../ports/sources.ts";
import type { ServerPolicy } from "../server-policies.ts";
import { checkParent } from "../sessions.ts";
import { Refusal } from "../values/errors.ts";
import { createToken, hashToken } from "../values/tokens.ts";

/** How long a person may take to let a terminal in. */
export const LOGIN_SECONDS = 600;
/** How often a terminal may ask. */
export const LOGIN_INTERVAL_SECONDS = 3;
/** How long a terminal stays logged in. */
const TERMINAL_SECONDS = 12 * 60 * 60;

// RFC 8628, section 6.1: no vowels, so that no code is a word, and no letter that looks like a digit.
const LETTERS = "bcdfghjkmnpqrstvwxz";
const CODE_LENGTH = 8;
const ATTEMPTS = 5;

interface LoginDeps {
  readonly store: LoginStore & PersonStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly ids: Ids;
  readonly policy: ServerPolicy;
}

/** A login that a terminal has begun. */
export interface BegunLogin {
  /** What the terminal asks with. */
  readonly deviceCode: string;
  /** What the person types, in small letters and without a dash. */
  readonly userCode: string;
}

/** Begins the login of a terminal, which anybody may. */
export async function beginLogin(
  deps: LoginDeps,
  { machine, address }: Pick<LoginRecord, "address" | "machine">,
): Promise<BegunLogin> {
  const deviceCode = createToken("person", deps.random);
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const userCode = createCode(deps.random);
    const now = deps.clock.now();
    const times = { createdAt: now, expiresAt: now + LOGIN_SECONDS * 1000 };
    const login = { userCode, machine, address, state: "pending", sessionId: null, ...times } as const;
    if (await deps.store.createLogin(login, hashToken(deviceCode))) return { deviceCode, userCode };
  }
  throw new Refusal("server_busy");
}

/** The login that waits with this code. Throws a Refusal `not_found`. */
export async function getLogin(deps: LoginDeps, userCode: string): Promise<LoginRecord> {
  const login = await deps.store.findLogin(userCode);
  if (!login) throw new Refusal("not_found");
  return login;
}

/** Lets a terminal in as the caller, or refuses it. Throws a Refusal `not_found` when it waits no more. */
export async function decideLogin(
  deps: LoginDeps,
  { session }: PersonCaller,
  userCode: string,
  state: "approved" | "refused",
): Promise<void> {
  const sessionId = state === "approved" ? session.id : null;
  if (!(await deps.store.decideLogin(userCode, { state, sessionId }))) throw new Refusal("not_found");
}

/** The answer to a terminal that asks. */
export type LoginAnswer =
  | { readonly state: "pending" | "refused" }
  | { readonly state: "approved"; readonly apiKey: string; readonly session: SessionRecord };

/**
 * Answers a terminal. Once it is let in, its session begins; it ends after 12 hours, and with the session of the person
 * who let it in. Throws a Refusal `credential_expired` for a device code that is over, used, or none.
 */
export async function pollLogin(deps: LoginDeps, deviceCode: string): Promise<LoginAnswer> {
  const apiKey = createToken("apiKey", deps.random);
  const expiresAt = deps.clock.now() + TERMINAL_SECONDS * 1000;
  const begun = { id: deps.ids.next("session"), tokenHash: hashToken(apiKey), expiresAt };
  const taken = await deps.store.takeLogin(hashToken(deviceCode), begun);
  if (taken === undefined) {
    throw new Refusal("credential_expired", { detail: "The login has expired, or was used. Begin it again." });
  }
  if (typeof taken === "string") return { state: taken };
  try {
    await checkParent(deps, taken);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    await deps.store.deleteSession(begun.tokenHash);
    return { state: "refused" };
  }
  return { state: "approved", apiKey, session: taken };
}

/** Eight random letters. 17 billion of them, for ten minutes and with few tries, can't be guessed. */
function createCode(random: Random): string {
  let code = "";
  while (code.length < CODE_LENGTH) {
    for (const byte of random.bytes(CODE_LENGTH)) {
      // Of the last numbers some letters would be more frequent.
      const letter = byte < LETTERS.length * Math.floor(256 / LETTERS.length) ? LETTERS[byte % LETTERS.length] : "";
      if (code.length < CODE_LENGTH) code += letter;
    }
  }
  return code;
}
