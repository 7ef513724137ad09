import { isId } from "../../contract/ids.ts";
import { linkKindOf } from "../../contract/links.ts";
import { formatBackupLink, parseBackupLink } from "../../crypto/backup-links.ts";
import { decodeNote, fillForm } from "../../crypto/forms.ts";
import { deriveRequestKeys, parseRequestLink } from "../../crypto/request-links.ts";
import { deriveSecretLinkKeys, parseSecretLink } from "../../crypto/secret-links.ts";
import { askForSecret, checkBackupLink } from "../asks.ts";
import { followEvents, pastEvents } from "../events.ts";
import { otherOriginOf } from "../link-bases.ts";
import { getInvitation, getRequest, revokeRequest, waitForSubmission } from "../requests.ts";
import { getSecret, revokeSecret } from "../secrets.ts";
import { sendSecret } from "../sends.ts";
import { openNote, submitSecret } from "../submissions.ts";
import {
  addresseesOf,
  approverOf,
  checkOptions,
  connect,
  connectByLink,
  explaining,
  idOfSecret,
  STEP_SECONDS,
  textOf,
  wrong,
} from "./calls.ts";
import type { AccessOptions, CallOptions } from "./calls.ts";
import { toNewContent } from "./contents.ts";
import type { NewContent } from "./contents.ts";
import { toHandoffError } from "./errors.ts";
import { areFieldValues, toFields } from "./forms.ts";
import type { Field, FieldValues } from "./forms.ts";
import { claim } from "./opening.ts";
import type { ClaimOptions, Collected } from "./opening.ts";
import type { HandoffEvent, Person, Request, Secret } from "./records.ts";

export type { AccessOptions, CallOptions } from "./calls.ts";
export type { NewContent, NewFile, OpenedContent, SecretFile } from "./contents.ts";
export {
  CredentialError,
  DecryptionError,
  GoneError,
  HandoffError,
  InterruptedError,
  NetworkError,
  UsageError,
} from "./errors.ts";
export type { ErrorCode } from "./errors.ts";
export type { Field, FieldValues } from "./forms.ts";
export { open } from "./opening.ts";
export type { ClaimOptions, Collected, Opened, OpenOptions } from "./opening.ts";
export type { HandoffEvent, Person, Request, Secret } from "./records.ts";

/** Options of `send`. */
export interface SendOptions extends AccessOptions {
  /** Seconds in which it can be opened. The server has a default. */
  readonly expiresIn?: number | undefined;
  /** The number of times it can be opened. The server has a default. */
  readonly maxClaims?: number | undefined;
  /** A passphrase that the recipient also needs. */
  readonly passphrase?: string | undefined;
  /** The ticket that it is about, such as `OPS-4711`. The team and the server see it. */
  readonly reference?: string | undefined;
  /** The people who may open it: addresses, and domains as `*@example.com`. Everybody with the link without it. */
  readonly for?: readonly string[] | undefined;
  /**
   * Who has to approve each opening: the identity or person of the API key (`sender`), or somebody else of the team
   * (`team`). They do it at the page or with `handoff approve`. Nobody has to without it.
   */
  readonly approval?: "sender" | "team" | undefined;
}

/** A secret that was sent, and its link, which is stored nowhere. */
export interface Sent {
  readonly link: string;
  readonly secret: Secret;
  /** The origin of the link where it isn't that of `server`: the server chooses it. Undefined where it is the same. */
  readonly otherOrigin: string | undefined;
}

/** Encrypts content and stores it. Needs the scope `secrets:create`. Rejects with HandoffError. */
export function send(content: NewContent, options: SendOptions): Promise<Sent> {
  return explaining("change", options, async () => {
    const { expiresIn, maxClaims, passphrase, reference } = options;
    if (passphrase !== undefined && textOf(passphrase, "passphrase") === "") throw wrong("The passphrase is empty.");
    const [addressees, approver] = [addresseesOf(options.for), approverOf(options.approval)];
    const terms = { ttlSeconds: expiresIn, maxClaims, reference, addressees, approver };
    const client = connect(options);
    const { link, secret } = await sendSecret(client, { content: toNewContent(content), passphrase, ...terms });
    return { link, secret, otherOrigin: otherOriginOf(client, link) };
  });
}

/** Options of `request`. */
export interface RequestOptions extends AccessOptions {
  /** What you ask for. The holder of the link can read it; the server can't. */
  readonly note?: string | undefined;
  /**
   * The fields to ask for: each a name, `NAME:KIND`, or a name and a kind. Without a kind it's a `password` if its name
   * is PIN, or has pass, secret, token or key in it. Else it's a `text`. The server can't read them.
   */
  readonly fields?: readonly (string | Field)[] | undefined;
  /** Seconds in which secrets can be handed in. The server has a default. */
  readonly expiresIn?: number | undefined;
  /** The number of secrets that can be handed in. The server has a default. */
  readonly maxSubmissions?: number | undefined;
  /** The ticket that it is about, such as `OPS-4711`. The team and the server see it. */
  readonly reference?: string | undefined;
  /** The people who may hand in: addresses, and domains as `*@example.com`. Everybody with the link without it. */
  readonly for?: readonly string[] | undefined;
  /** Encrypts to an X25519 key, for somebody who answers with an age older than 1.3. */
  readonly compat?: boolean | undefined;
}

/** A request and its links, which are stored nowhere. */
export interface Asked {
  /** The link for the person who has the secret. */
  readonly link: string;
  /** The link for `collect`. It has the private key: keep it like a password. */
  readonly backupLink: string;
  readonly request: Request;
  /** The origin of the links where it isn't that of `server`: the server chooses it. Undefined where it is the same. */
  readonly otherOrigin: string | undefined;
}

/** Asks for a secret. Needs the scope `requests:create`. Rejects with HandoffError. */
export function request(options: RequestOptions): Promise<Asked> {
  return explaining("change", options, async () => {
    const { note, fields, expiresIn, maxSubmissions, reference, compat = false } = options;
    const addressees = addresseesOf(options.for);
    const terms = { note, fields: toFields(fields), ttlSeconds: expiresIn, maxSubmissions, reference, addressees };
    const kept = { assign: () => undefined, drop: () => undefined };
    const identityKind = compat ? "x25519" : "hybrid";
    const client = connect(options);
    const asked = await askForSecret(client, { ...terms, identityKind }, () => kept);
    const { baseUrl, id } = parseRequestLink(asked.link);
    const backupLink = formatBackupLink({ baseUrl, id, ageIdentity: asked.ageIdentity });
    return { link: asked.link, backupLink, request: asked.request, otherOrigin: otherOriginOf(client, asked.link) };
  });
}

/** A secret that was handed in, as the API answers it. */
export interface Submitted {
  readonly secret_id: string;
  readonly state: Secret["state"];
}

/** What is handed in: content, or a value for each field that the request asks for. */
export type SubmittedContent = NewContent | { readonly fields: FieldValues };

/** Hands in a secret through a request link, encrypted for the person who asked. Rejects with HandoffError. */
export function submit(link: string, content: SubmittedContent, options: CallOptions = {}): Promise<Submitted> {
  return explaining("change", options, async () => {
    const { client, parsed, notePassphrase } = await invited(link, options);
    const given = areFieldValues(content) ? content : toNewContent(content);
    const { recipient, note } = await getInvitation(client, parsed);
    const checked =
      "fields" in given
        ? ({ kind: "text", text: fillForm(await formOf(note, notePassphrase), given.fields) } as const)
        : given;
    return submitSecret(client, { requestId: parsed.id, recipient, content: checked });
  });
}

async function formOf(note: Parameters<typeof openNote>[0] | undefined, passphrase: string): Promise<readonly Field[]> {
  return note ? decodeNote(await openNote(note, passphrase)).fields : [];
}

async function invited(link: string, options: CallOptions) {
  const parsed = parseRequestLink(textOf(link, "link"));
  const { submitToken, notePassphrase } = await deriveRequestKeys(parsed.seed);
  return { client: connectByLink(options, parsed.baseUrl, submitToken), parsed, notePassphrase };
}

/** Options of `collect`. */
export interface CollectOptions extends AccessOptions {
  /** The longest time in seconds to wait for something to collect; Infinity for no end. Without it, no wait. */
  readonly waitSeconds?: number | undefined;
}

/** A secret that was handed in and that can be opened once. */
export interface Submission {
  /** The id of the secret. */
  readonly id: string;
  /** Claims it and decrypts it. Needs the scope `secrets:claim`. Rejects with HandoffError. */
  open(options?: ClaimOptions): Promise<Collected>;
}

/** A request, and what can be collected. */
export interface Collection {
  readonly request: Request;
  readonly submissions: readonly Submission[];
}

/**
 * Finds what was handed in and not collected yet, by the backup link of a request. Needs the scope `requests:read`.
 * Rejects with HandoffError.
 */
export function collect(backupLink: string, options: CollectOptions): Promise<Collection> {
  return explaining("look", options, async () => {
    const link = parseBackupLink(textOf(backupLink, "backup link"));
    const client = connect(options);
    const { waitSeconds: seconds, signal = new AbortController().signal } = options;
    const found =
      seconds === undefined
        ? await getRequest(client, link.id)
        : await waitForSubmission(client, link.id, { seconds, stepSeconds: STEP_SECONDS, signal });
    await checkBackupLink(link, found);
    const key = { kind: "ageIdentities", ageIdentities: [link.ageIdentity] } as const;
    const waiting = found.submissions.filter(({ state }) => state === "available");
    const submissions = waiting.map(({ secret_id: id }) => ({
      id,
      open: (claimOptions: ClaimOptions = {}) =>
        explaining("change", options, async () => {
          checkOptions(claimOptions);
          return claim(client, id, claimOptions, (openWith) => openWith(key));
        }),
    }));
    return { request: found, submissions };
  });
}

/** Options of `status`. */
export interface StatusOptions extends CallOptions {
  /** The URL of the server; for an ID. */
  readonly server?: string | undefined;
  /** An API key of the team; for an ID. */
  readonly apiKey?: string | undefined;
}

/** What the server knows of a secret, a request, or the request of a request link. */
export type Status =
  | { readonly kind: "secret"; readonly secret: Secret }
  | { readonly kind: "request"; readonly request: Request }
  | {
      readonly kind: "invitation";
      /** What is asked for; undefined without a note. */
      readonly note: string | undefined;
      /** The fields that are asked for; empty without any. */
      readonly fields: readonly Field[];
      readonly expiresAt: string;
      /** The number of secrets that can still be handed in. */
      readonly submissionsLeft: number;
      /** The signed-in person who asks, as the server says; null when it names nobody. */
      readonly askedBy: Person | null;
      /** The people who may hand in, without the middle of their addresses; null for everybody with the link. */
      readonly for: readonly string[] | null;
    };

/**
 * Looks at a link to a secret, at a request link, or at the ID of a secret (scope `secrets:read`) or of a request
 * (`requests:read`). Uses nothing up. Rejects with HandoffError.
 */
export function status(linkOrId: string, options: StatusOptions = {}): Promise<Status> {
  return explaining("look", options, async () => {
    const { server, apiKey } = options;
    textOf(linkOrId, "link or ID");
    if (isId(linkOrId, "any")) {
      if (server === undefined || apiKey === undefined) throw wrong("An ID needs a server and an API key.");
      const client = connect({ ...options, server, apiKey });
      if (isId(linkOrId, "request")) return { kind: "request", request: await getRequest(client, linkOrId) };
      return { kind: "secret", secret: await getSecret(client, idOfSecret(linkOrId)) };
    }
    if (linkKindOf(linkOrId) === "request") {
      const { client, parsed, notePassphrase } = await invited(linkOrId, options);
      const { note, expiresAt, submissionsLeft, askedBy, addressees } = await getInvitation(client, parsed);
      const { text, fields } = note
        ? decodeNote(await openNote(note, notePassphrase))
        : { text: undefined, fields: [] };
      return { kind: "invitation", note: text, fields, expiresAt, submissionsLeft, askedBy, for: addressees };
    }
    const { baseUrl, id, seed } = parseSecretLink(linkOrId);
    const { claimToken } = await deriveSecretLinkKeys(seed);
    return { kind: "secret", secret: await getSecret(connectByLink(options, baseUrl, claimToken), id) };
  });
}

/**
 * Revokes a secret (scope `secrets:revoke`) or a request (`requests:revoke`) by its ID, so that its link opens nothing
 * any more. Rejects with HandoffError.
 */
export function revoke(id: string, options: AccessOptions): Promise<void> {
  return explaining("change", options, async () => {
    const client = connect(options);
    if (isId(textOf(id, "ID"), "request")) await revokeRequest(client, id);
    else await revokeSecret(client, idOfSecret(id));
  });
}

/** Options of `events`. */
export interface EventsOptions extends AccessOptions {
  /** The id of the event after which to begin, or `now`. Without it, the oldest event comes first. */
  readonly after?: string | undefined;
  /** False ends with what has happened so far. True by default: it goes on with what happens. */
  readonly follow?: boolean | undefined;
}

/**
 * Yields the events of the team, each once and in order. It comes back by itself when the connection is lost. Needs
 * the scope `events:read`. Throws HandoffError.
 */
export async function* events(options: EventsOptions): AsyncGenerator<HandoffEvent, void> {
  checkOptions(options);
  const { after, follow = true, signal = new AbortController().signal } = options;
  try {
    if (after !== undefined && after !== "now" && !isId(after, "event")) throw wrong("This isn't the ID of an event.");
    const client = connect(options);
    yield* follow ? followEvents(client, { after, signal }) : pastEvents(client, after);
  } catch (error) {
    throw toHandoffError(error, "look", options.signal);
  }
}
