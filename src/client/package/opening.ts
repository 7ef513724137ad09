import type { ErrorKind } from "../../contract/user-errors.ts";
import { deriveSecretLinkKeys, parseSecretLink } from "../../crypto/secret-links.ts";
import { ClientError } from "../errors.ts";
import type { HttpClient } from "../http-client.ts";
import { interrupted } from "../network-errors.ts";
import { openEnvelope } from "../opened-secrets.ts";
import type { OpeningKey } from "../opened-secrets.ts";
import { acknowledgeClaim, claimSecret, createIdempotencyKey } from "../secrets.ts";
import { askToOpen, awaitApproval } from "../signing-in/decisions.ts";
import { connectByLink, explaining, STEP_SECONDS, textOf, wrong } from "./calls.ts";
import type { CallOptions } from "./calls.ts";
import { toOpenedContent } from "./contents.ts";
import type { OpenedContent } from "./contents.ts";
import { toFieldValues } from "./forms.ts";
import type { FieldValues } from "./forms.ts";
import type { Secret } from "./records.ts";

/** Options of what claims a secret. */
export interface ClaimOptions {
  /**
   * The key of the claim. With the same key, another call repeats the claim and uses up no other, until `replayUntil`.
   * Without it, a new one.
   */
  readonly idempotencyKey?: string | undefined;
  /** Keeps names of files and executable bits as they are; only for senders that you trust. */
  readonly exactNames?: boolean | undefined;
}

/** Options of `open`. */
export interface OpenOptions extends CallOptions, ClaimOptions {
  /**
   * The sender's passphrase, for a link that needs one. A function is called before the secret is claimed, and again
   * after a wrong passphrase, with the number of the attempt; it returns undefined to give up. What it throws is passed
   * on.
   */
  readonly passphrase?:
    string | ((attempt: number) => string | undefined | PromiseLike<string | undefined>) | undefined;
  /**
   * Called with three words where somebody has to approve the opening. That person sees the same ones, and may ask for
   * them. `open` then waits for the decision, and goes on by itself. Without this function, such a link is the error
   * `approval_required`. What it throws is passed on.
   */
  readonly onWords?: ((words: readonly string[]) => void) | undefined;
  /** The longest time in seconds to wait for the approval; an hour without it, for which the server keeps an ask. */
  readonly waitSeconds?: number | undefined;
}

/** A secret that was claimed and decrypted. */
export interface Opened extends OpenedContent {
  readonly secret: Secret;
  /** The end of the time in which the claim can be repeated; null when it can't be. */
  readonly replayUntil: string | null;
  /**
   * Tells the server that the content is kept, so that it erases the secret now and not at `replayUntil`. Never
   * rejects.
   */
  acknowledge(): Promise<void>;
}

/** What was handed in for a request. */
export interface Collected extends Opened {
  /** The values by the names of the fields, for a request that asks for some; undefined when something else came. */
  readonly fields: FieldValues | undefined;
}

/** Claims the secret of a link and decrypts it. Rejects with HandoffError. */
export function open(link: string, options: OpenOptions = {}): Promise<Opened> {
  return explaining("change", options, async () => {
    const { baseUrl, id, seed, needsPassphrase } = parseSecretLink(textOf(link, "link"));
    const { claimToken, agePassphrase } = await deriveSecretLinkKeys(seed);
    const client = connectByLink(options, baseUrl, claimToken);
    // The passphrase comes before the claim, so that nothing is used up without one.
    let passphrase = needsPassphrase ? await firstPassphrase(options) : undefined;
    const { fields: _fields, ...opened } = await claim(
      client,
      id,
      options,
      async (openWith) => {
        for (let attempt = 2; ; attempt++) {
          try {
            return await openWith({ kind: "link", agePassphrase, passphrase });
          } catch (error) {
            if (!(error instanceof ClientError && error.code === "decryption_failed")) throw error;
            const mayAsk = needsPassphrase && typeof options.passphrase === "function";
            const next: unknown = mayAsk ? await findPassphrase(options, attempt) : undefined;
            if (typeof next !== "string") throw error;
            passphrase = next;
          }
        }
      },
      () => findApproval(client, id, options),
    );
    return opened;
  });
}

/** The passphrase before the claim: a signal that is aborted until then has changed nothing. */
function firstPassphrase(options: OpenOptions): Promise<string> {
  return explaining("look", options, async () => {
    const found: unknown = await findPassphrase(options, 1);
    // `prompt` of browsers returns null.
    if (found === undefined || found === null) {
      throw new ClientError("passphrase_missing", "usage", "This link needs a passphrase too.");
    }
    const passphrase = textOf(found, "passphrase");
    if (passphrase === "") throw wrong("The passphrase is empty.");
    return passphrase;
  });
}

/** Rejects with ClientError when the signal is aborted before there is an answer. */
async function findPassphrase({ passphrase, signal }: OpenOptions, attempt: number): Promise<string | undefined> {
  if (typeof passphrase !== "function") return passphrase;
  if (signal?.aborted) throw interrupted();
  const asked = new AbortController();
  try {
    const abortion = new Promise<never>((_, reject) => {
      signal?.addEventListener("abort", () => reject(interrupted()), { signal: asked.signal });
    });
    return await Promise.race([passphrase(attempt), abortion]);
  } finally {
    asked.abort();
  }
}

/** Asks for an approval, and resolves with its token. Until then nothing has changed. */
function findApproval(client: HttpClient, id: string, options: OpenOptions): Promise<string> {
  const { onWords, waitSeconds: seconds = Infinity, signal = new AbortController().signal } = options;
  return explaining("look", options, async () => {
    if (!onWords) throw unapproved("failure", "Somebody has to approve it before it can be opened.", "Set onWords.");
    const ask = await askToOpen(client, id);
    onWords(ask.words);
    const wait = { seconds, stepSeconds: STEP_SECONDS, signal, isUnderWay: true };
    if (await awaitApproval(client, id, ask, wait)) return ask.approval_token;
    throw unapproved("nothing_yet", "Nobody has decided in this time. It wasn't opened.", "Open it again to ask anew.");
  });
}

function unapproved(kind: ErrorKind, meaning: string, advice: string): ClientError {
  return new ClientError("approval_required", kind, { meaning, advice });
}

type OpenWith = (key: OpeningKey) => ReturnType<typeof openEnvelope>;

/**
 * Claims a secret, and decrypts it with what `decrypt` gives. `approve` resolves with the token of an approval, if the
 * server wants one. Throws ClientError. @internal
 */
export async function claim(
  client: HttpClient,
  id: string,
  { idempotencyKey = createIdempotencyKey(), exactNames = false }: ClaimOptions,
  decrypt: (openWith: OpenWith) => ReturnType<OpenWith>,
  approve?: () => Promise<string>,
): Promise<Collected> {
  const { secret, envelope, replayUntil } = await claimSecret(client, id, idempotencyKey).catch(async (error) => {
    if (!(error instanceof ClientError && error.code === "approval_required" && approve)) throw error;
    return claimSecret(client, id, idempotencyKey, undefined, { approvalToken: await approve() });
  });
  const content = await decrypt((key) => openEnvelope(envelope, key, exactNames ? "exact" : "safe"));
  return {
    ...toOpenedContent(content),
    fields: toFieldValues(content),
    secret,
    replayUntil,
    // Without it the server erases the secret a little later.
    acknowledge: () => acknowledgeClaim(client, id, idempotencyKey).catch(() => undefined),
  };
}
