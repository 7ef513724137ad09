import { ClientError } from "../../client/errors.ts";
import type { HttpClient } from "../../client/http-client.ts";
import { getRequest } from "../../client/requests.ts";
import { getSecret } from "../../client/secrets.ts";
import type { Progress } from "../../client/transfers.ts";
import { REPLAY_WINDOW_SECONDS } from "../../contract/limits.ts";
import type { RequestMetadata, Submission } from "../../contract/requests.ts";
import type { Secret } from "../../contract/secrets.ts";
import { LARGE_VERSION } from "../../contract/states.ts";
import type { DecodedContent } from "../../crypto/contents.ts";
import { decodeFields } from "../../crypto/forms.ts";
import type { FormField } from "../../crypto/forms.ts";
import { findAgeIdentity, forgetAgeIdentity, isRepeatable, noteReplayEnd } from "../browser/age-identities.ts";
import type { KeptAgeIdentity, KeptClaim } from "../browser/age-identities.ts";
import { forget } from "../browser/fragments.ts";
import { rememberPast } from "../browser/past-links.ts";
import { inWorker, startWorker } from "../browser/workers.ts";
import { isSecretName } from "../contents/lines.ts";
import type { NamedLine } from "../contents/lines.ts";
import type { Notice } from "../frame/notices.ts";
import { describeSessionFailure } from "../parts/failures.ts";
import { formatTime } from "../parts/formats.ts";
import { describeOpening } from "../parts/opening-failures.ts";
import { isOver } from "../service/asked.ts";
import { claimSubmission, eraseSubmission } from "../service/claims.ts";
import type { SubmissionPlace } from "../service/claims.ts";
import { createSessionClient, requirePerson } from "../service/clients.ts";
import type { Person } from "../service/clients.ts";
import { rememberNote } from "../service/notes.ts";
import { isInDoubt } from "../service/outcomes.ts";
import { may } from "../service/scopes.ts";
import { ACTIVITY } from "../texts/activity.ts";
import { OPENING } from "../texts/opening.ts";
import { PAGE } from "../texts/page.ts";
import type { OpenedSecret } from "../viewing/opened-screen.tsx";
import { describeDifference } from "./differences.ts";

const { collect } = ACTIVITY;

/** Used in a browser that has no key for the request. */
export const NO_KEY: KeptAgeIdentity = { identity: "", note: undefined, claims: {} };

/** A request, and the key to its submissions. */
export interface Collection {
  readonly person: Person;
  readonly request: RequestMetadata;
  readonly kept: KeptAgeIdentity;
  readonly note: string;
  /** The fields that were asked for; empty when there are none, or they aren't known. */
  readonly form: readonly FormField[];
}

/** The current submissions of a request. */
export interface Answers {
  readonly request: RequestMetadata;
  readonly kept: KeptAgeIdentity;
  /** By the ID of a submission: when a waiting one expires, or until when a lost answer can be repeated. */
  readonly ends: ReadonlyMap<string, string>;
  /** The lengths of the ciphertexts of large submissions, by their IDs. */
  readonly large: ReadonlyMap<string, number>;
}

/** Reads the submissions again, and deletes the key once it can open nothing more. Throws ClientError. */
export async function readAnswers({ person, request: { id }, kept: former, note }: Collection): Promise<Answers> {
  const [request, found] = await Promise.all([getRequest(person.client, id), findAgeIdentity(person.id, id)]);
  const kept = found ?? former;
  const mayRead = may(person, "secrets:read");
  const waiting = mayRead ? request.submissions.filter((each) => canOpen(each, kept)) : [];
  const secrets = await Promise.all(waiting.map(({ secret_id: secretId }) => getSecret(person.client, secretId)));
  if (isOver(request, kept)) {
    await rememberNote(person.id, id, note);
    await forgetAgeIdentity(person.id, id);
    void forget(id);
  }
  const large = secrets.filter((secret) => secret.envelope_version === LARGE_VERSION);
  return {
    request,
    kept,
    ends: new Map(secrets.map((secret) => [secret.id, endOf(secret)])),
    large: new Map(large.map((secret) => [secret.id, secret.ciphertext_bytes])),
  };
}

/** When a secret expires or, after it was claimed, when the server's default replay window ends. */
function endOf({ expires_at: expiresAt, ended_at: endedAt }: Secret): string {
  if (endedAt === null) return expiresAt;
  return new Date(Date.parse(endedAt) + REPLAY_WINDOW_SECONDS.default * 1000).toISOString();
}

/** True when this browser can open the submission, or show it again. */
export function canOpen({ secret_id: id, state }: Submission, { claims }: KeptAgeIdentity): boolean {
  return state === "available" || (state === "claimed" && isRepeatable(claims[id]));
}

/**
 * Opens a submission, or shows it again. `say` is called with the progress. Returns a complaint when the server does
 * not release the secret. Throws ClientError.
 */
export async function openSubmission(
  { person, request, kept, form }: Omit<Collection, "note">,
  secretId: string,
  say: (progress: string) => void,
): Promise<OpenedSecret | string> {
  const place = { personId: person.id, requestId: request.id, secretId };
  say(OPENING.open.opening(100));
  // Runs before the claim, so that a browser without a worker uses up nothing.
  await startWorker();
  const onProgress: Progress = (_, bytes, total) =>
    say(OPENING.open.opening(Math.round((100 * bytes) / (total ?? bytes))));
  const claimed = await claimHere(person, place, (client) => claimSubmission(client, { ...place, onProgress }));
  if (typeof claimed === "string") return claimed;
  const { envelope, until, client } = claimed;
  const key = { kind: "ageIdentities", ageIdentities: [kept.identity] } as const;
  const content = await inWorker({ kind: "open", envelope, key });
  rememberPast(secretId, { kind: "opened", at: new Date().toISOString() });
  const erase = () => eraseSubmission(client, { ...place, until });
  const [fields, remark] = [findFields(content), describeDifference(form, content)];
  return { content, sender: null, fields, remark, until, place: "browser", left: 0, erase };
}

/**
 * Claims a submission by `call`, or repeats the claim. Returns a complaint when the server does not release the secret.
 * Throws ClientError.
 */
export async function claimHere<Claim extends object>(
  person: Person,
  { personId, requestId, secretId }: SubmissionPlace,
  call: (client: HttpClient) => Promise<Claim>,
): Promise<(Claim & { readonly client: HttpClient }) | string> {
  await requirePerson(person);
  const former = (await findAgeIdentity(personId, requestId))?.claims[secretId];
  let isUnsure = former !== undefined && former.replayEndsAt !== 0;
  const noteSetback = (mayBeDone: boolean) => void (isUnsure ||= mayBeDone);
  const client = createSessionClient({ onSetback: noteSetback });
  try {
    return { ...(await call(client)), client };
  } catch (error) {
    noteSetback(isInDoubt(error));
    return describeUnclaimed(error, { person, requestId, secretId, former, isUnsure });
  }
}

/** The fields of a form that was handed in; undefined for anything else. Values of several lines start hidden too. */
function findFields(content: DecodedContent): readonly NamedLine[] | undefined {
  const filled = content.kind === "text" ? decodeFields(content.text) : undefined;
  return filled?.map(({ name, value }) => ({ name, value, isSecret: isSecretName(name) || value.includes("\n") }));
}

/**
 * Returns the complaint about a failed claim, and records whether it can be repeated. `former` is an earlier claim from
 * this browser.
 */
async function describeUnclaimed(
  error: unknown,
  claim: {
    readonly person: Person;
    readonly requestId: string;
    readonly secretId: string;
    readonly former: KeptClaim | undefined;
    /** True when a claim from this browser may have succeeded. */
    readonly isUnsure: boolean;
  },
): Promise<string> {
  const { person, requestId, secretId, former, isUnsure } = claim;
  const { text, canRetry } = describeCollecting(error);
  if (!(error instanceof ClientError && error.kind === "gone")) {
    const end = new Date(Date.now() + REPLAY_WINDOW_SECONDS.default * 1000).toISOString();
    // Otherwise this browser would wait for an answer to a claim that was never made.
    if (!isUnsure) await noteReplayEnd(person.id, requestId, { secretId, inMs: "over" });
    if (!canRetry) return text;
    if (!isUnsure) return `${text} ${OPENING.open.notYet}`;
    return `${text} ${former ? OPENING.open.maybe : collect.maybe(formatTime(end))}`;
  }
  await noteReplayEnd(person.id, requestId, { secretId, inMs: "over" });
  if (!isUnsure || error.code !== "secret_claimed") return text;
  if (former?.replayEndsAt) return collect.openedHere;
  const at = new Date().toISOString();
  rememberPast(secretId, { kind: "lost", askedAt: at, endedAt: at });
  return collect.lost;
}

/** Shown to a person who is not signed in. Collecting needs a session. */
export const SIGN_IN_FIRST: Notice = { ...collect.signIn, icon: "lock", tone: "warn", canRetry: true };

/** The notice for a failure while collecting. */
export function describeCollecting(error: unknown): Notice {
  switch (error instanceof ClientError ? error.code : "") {
    case "other_person":
    case "insufficient_scope":
      return describeSessionFailure(error);
    case "not_found":
      return collect.unknown;
    case "secret_claimed":
      return { title: PAGE.failed.title, text: collect.taken };
    case "secret_expired":
      return { title: PAGE.failed.title, text: collect.expired };
    case "secret_revoked":
      return { title: PAGE.failed.title, text: collect.revoked };
    case "decryption_failed":
      return { title: PAGE.failed.title, text: collect.undecryptable };
    case "envelope_version_unsupported":
      return { title: PAGE.failed.title, text: collect.tooLarge };
    case "credential_missing":
    case "credential_invalid":
    case "credential_expired":
      return SIGN_IN_FIRST;
    default:
      return describeOpening(error);
  }
}
