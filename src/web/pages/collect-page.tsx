import { useState } from "preact/hooks";
import { ClientError } from "../../client/errors.ts";
import { getRequest, hasEnded } from "../../client/requests.ts";
import { getSecret } from "../../client/secrets.ts";
import { REPLAY_WINDOW_SECONDS } from "../../contract/limits.ts";
import type { RequestMetadata, Submission } from "../../contract/requests.ts";
import type { Secret } from "../../contract/secrets.ts";
import { parseBackupLink } from "../../crypto/backup-links.ts";
import {
  findAgeIdentity,
  forgetAgeIdentity,
  isRepeatable,
  keepAgeIdentity,
  noteReplayEnd,
} from "../browser/age-identities.ts";
import type { KeptAgeIdentity, KeptClaim } from "../browser/age-identities.ts";
import { forget } from "../browser/fragments.ts";
import { takeLink } from "../browser/links.ts";
import { readPast, rememberPast } from "../browser/past-links.ts";
import { topUrl } from "../browser/places.ts";
import { inWorker, prepareWorker, startWorker } from "../browser/workers.ts";
import { useLoading } from "../frame/loading.tsx";
import type { Notice } from "../frame/notices.ts";
import { Interruption, Screen } from "../frame/screens.tsx";
import { describeFault, describeOpening, describeSessionFailure } from "../parts/failures.ts";
import { formatTime } from "../parts/formats.ts";
import { IdEnd, idEndOf } from "../parts/id-end.tsx";
import { useTask } from "../parts/tasks.ts";
import { isOver } from "../service/asked.ts";
import { claimSubmission, eraseSubmission } from "../service/claims.ts";
import { findPerson, requirePerson } from "../service/clients.ts";
import type { Person } from "../service/clients.ts";
import { useLive } from "../service/live.ts";
import { readNotes } from "../service/notes.ts";
import { STRINGS } from "../strings.ts";
import { OpenedScreen } from "../viewing/opened-screen.tsx";
import type { OpenedSecret } from "../viewing/opened-screen.tsx";

const { activity, collect } = STRINGS;
/** The record of a request in a browser that has nothing to open an answer with. */
const NO_KEY: KeptAgeIdentity = { identity: "", note: undefined, claims: {} };

/** A request, and what opens the answers to it. */
interface Collection {
  readonly person: Person;
  readonly request: RequestMetadata;
  readonly kept: KeptAgeIdentity;
  readonly note: string;
}

type State =
  | { readonly kind: "ready"; readonly collection: Collection }
  | { readonly kind: "opened"; readonly secret: OpenedSecret };

/** `/c/{id}`: somebody who has asked for a secret opens what was handed in. */
export function CollectPage({ id }: { readonly id: string }) {
  const { state, screen, setState, reload } = useLoading<State>(id, begin, describeCollecting);
  if (!state) return screen;
  switch (state.kind) {
    case "ready":
      return (
        <CollectScreen collection={state.collection} onOpened={(secret) => setState({ kind: "opened", secret })} />
      );
    case "opened":
      return (
        <OpenedScreen secret={state.secret} onErased={reload}>
          <p>
            <button type="button" class="button" onClick={reload}>
              {collect.back}
            </button>
          </p>
        </OpenedScreen>
      );
  }
}

/** Finds what opens the answers, in this browser or in the link, and asks what has come in. */
async function begin(id: string): Promise<State | Notice> {
  const taken = takeLink(id, parseBackupLink);
  prepareWorker();
  const person = await findPerson();
  // A link that was taken out of the address bar stays in this tab until then.
  if (!person) return collect.signIn;
  const request = await getRequest(person.client, id);
  const isWhole = typeof taken === "object";
  const kept =
    (await findAgeIdentity(person.id, id)) ?? (isWhole && (await adopt(person, request, taken.link.ageIdentity)));
  if (kept) return { kind: "ready", collection: { person, request, kept, note: await readNote(id, kept) } };
  // The key is gone because nothing is left that it would open.
  if (taken === undefined && request.submissions.length > 0 && isOver(request, NO_KEY))
    return { kind: "ready", collection: { person, request, kept: NO_KEY, note: "" } };
  if (taken === undefined) return collect.noKey;
  void forget(id);
  return typeof taken === "string" ? describeFault(taken) : collect.wrongKey;
}

/** Keeps the age identity of a backup link as if it had been made here; undefined when it is not that of the request. */
async function adopt(
  person: Person,
  request: RequestMetadata,
  ageIdentity: string,
): Promise<KeptAgeIdentity | undefined> {
  const recipient = await inWorker({ kind: "recipient", ageIdentity });
  if (recipient !== request.recipient) return undefined;
  const kept = { identity: ageIdentity, note: undefined, claims: {} };
  // Where this browser keeps nothing, the tab does.
  if (await keepAgeIdentity(person.id, request.id, kept)) void forget(request.id);
  return kept;
}

async function readNote(id: string, kept: KeptAgeIdentity): Promise<string> {
  return (await readNotes(new Map([[id, kept]]))).get(id) ?? "";
}

/** The submissions to be opened, as they are now. */
interface Answers {
  readonly request: RequestMetadata;
  readonly kept: KeptAgeIdentity;
  /** The ends of the time in which those that wait can be opened, or lost answers be had again, by their ids. */
  readonly ends: ReadonlyMap<string, string>;
}

async function readAnswers({ person, request: { id }, kept: former }: Collection): Promise<Answers> {
  const [request, found] = await Promise.all([getRequest(person.client, id), findAgeIdentity(person.id, id)]);
  const kept = found ?? former;
  const waiting = request.submissions.filter((each) => canOpen(each, kept));
  const secrets = await Promise.all(waiting.map(({ secret_id: secretId }) => getSecret(person.client, secretId)));
  if (isOver(request, kept)) {
    await forgetAgeIdentity(person.id, id);
    void forget(id);
  }
  return { request, kept, ends: new Map(secrets.map((secret) => [secret.id, endOf(secret)])) };
}

/** The end of the time in which a secret can be opened, or by default the lost answer be had again. */
function endOf({ expires_at: expiresAt, ended_at: endedAt }: Secret): string {
  if (endedAt === null) return expiresAt;
  return new Date(Date.parse(endedAt) + REPLAY_WINDOW_SECONDS.default * 1000).toISOString();
}

function CollectScreen(props: { readonly collection: Collection; readonly onOpened: (secret: OpenedSecret) => void }) {
  const { collection, onOpened } = props;
  const { person, note } = collection;
  const [busyWith, setBusyWith] = useState("");
  const task = useTask((error) => describeCollecting(error).text);
  const live = useLive(person, () => readAnswers(collection));
  const { request, kept, ends } = live.value ?? { ...collection, ends: new Map<string, string>() };

  const open = (secretId: string) =>
    task.run(async (say) => {
      setBusyWith(secretId);
      say(STRINGS.open.opening(100));
      // Before anything is used up: what cannot be decrypted here should stay where it is.
      await startWorker();
      await requirePerson(person);
      const former = (await findAgeIdentity(person.id, request.id))?.claims[secretId];
      const claimed = await claimSubmission(person.client, {
        personId: person.id,
        requestId: request.id,
        secretId,
        onProgress: (_, bytes, total) => say(STRINGS.open.opening(Math.round((100 * bytes) / (total ?? bytes)))),
      }).catch(async (error: unknown) => {
        const complaint = await describeUnclaimed(error, { person, requestId: request.id, secretId, former });
        // Without the server, what is known already stays on the screen.
        await live.refresh().catch(() => undefined);
        return complaint;
      });
      if (typeof claimed === "string") return claimed;
      const { envelope, until } = claimed;
      const key = { kind: "ageIdentities", ageIdentities: [kept.identity] } as const;
      const content = await inWorker({ kind: "open", envelope, key });
      rememberPast(secretId, { kind: "opened", at: new Date().toISOString() });
      const erase = () =>
        eraseSubmission(person.client, { personId: person.id, requestId: request.id, secretId, until });
      onOpened({ content, sender: null, until, place: "browser", left: 0, erase });
      return undefined;
    });
  return (
    <Screen title={collect.title}>
      {note !== "" && <blockquote dir="auto">{note}</blockquote>}
      <p>{describe(request)}</p>
      {live.problem && <Interruption text={live.problem} onRetry={live.restart} />}
      <ul class="files" aria-live="polite">
        {request.submissions.map((submission) => (
          <li key={submission.secret_id}>
            <span>
              <strong>{collect.states[submission.state]}</strong>
              <small>
                <IdEnd id={submission.secret_id} /> · {describeSubmission(submission, ends.get(submission.secret_id))}
              </small>
              {submission.state === "claimed" && (
                <small>{describeClaim(submission.secret_id, kept, ends.get(submission.secret_id))}</small>
              )}
            </span>
            {canOpen(submission, kept) && (
              <button
                type="button"
                aria-disabled={task.progress !== ""}
                aria-label={collect.openThis(idEndOf(submission.secret_id))}
                onClick={() => void open(submission.secret_id)}
              >
                {(busyWith === submission.secret_id && task.progress) || collect.open}
              </button>
            )}
          </li>
        ))}
      </ul>
      <p role="alert" class="complaint">
        {task.complaint}
      </p>
      {request.submissions.some(({ state }) => state === "available") && <p class="quiet">{collect.once}</p>}
      <p>
        <a href={`${topUrl()}/ask`}>{collect.all}</a>
      </p>
    </Screen>
  );
}

/** True when it can be opened here, also once more. */
function canOpen({ secret_id: id, state }: Submission, { claims }: KeptAgeIdentity): boolean {
  return state === "available" || (state === "claimed" && isRepeatable(claims[id]));
}

function describeSubmission({ state, created_at: at }: Submission, end: string | undefined): string {
  const isWaiting = state === "available" && end !== undefined;
  return collect.handedIn(formatTime(at)) + (isWaiting ? ` · ${collect.openUntil(formatTime(end))}` : "");
}

/** The text on what this browser has of a submission that was claimed; empty when it has had nothing to do with it. */
function describeClaim(id: string, { claims }: KeptAgeIdentity, end: string | undefined): string {
  const past = readPast(id);
  const claim = claims[id];
  if (past?.kind === "opened" || claim?.replayEndsAt) return collect.openedHere;
  if (past?.kind === "lost") return collect.lost;
  return claim?.replayEndsAt === null && end !== undefined ? collect.maybe(formatTime(end)) : "";
}

/**
 * The complaint about a claim that failed, and notes what it means for another try. `former` is the claim that was made
 * here before.
 */
async function describeUnclaimed(
  error: unknown,
  claim: {
    readonly person: Person;
    readonly requestId: string;
    readonly secretId: string;
    readonly former: KeptClaim | undefined;
  },
): Promise<string> {
  const { person, requestId, secretId, former } = claim;
  const { text, canRetry } = describeCollecting(error);
  if (!(error instanceof ClientError && error.kind === "gone")) {
    const end = new Date(Date.now() + REPLAY_WINDOW_SECONDS.default * 1000).toISOString();
    if (!canRetry) return text;
    return `${text} ${former ? STRINGS.open.maybe : collect.maybe(formatTime(end))}`;
  }
  await noteReplayEnd(person.id, requestId, { secretId, inMs: "over" });
  if (!former || error.code !== "secret_claimed") return text;
  if (former.replayEndsAt !== null) return collect.openedHere;
  const at = new Date().toISOString();
  rememberPast(secretId, { kind: "lost", askedAt: at, endedAt: at });
  return collect.lost;
}

function describe(request: RequestMetadata): string {
  const { submissions, max_submissions: most, expires_at: expiresAt } = request;
  if (request.state === "paused" && submissions.length === 0) return collect.paused;
  if (!hasEnded(request)) {
    const until = collect.until(formatTime(expiresAt));
    return submissions.length === 0
      ? `${collect.nothingYet} ${until}`
      : `${activity.states.handedIn(submissions.length, most)}. ${until}`;
  }
  return submissions.length === 0 ? collect.nothing : activity.states.handedIn(submissions.length, most);
}

function describeCollecting(error: unknown): Notice {
  switch (error instanceof ClientError ? error.code : "") {
    case "other_person":
      return describeSessionFailure(error);
    case "not_found":
      return collect.unknown;
    case "secret_claimed":
      return { title: STRINGS.failed.title, text: collect.taken };
    case "secret_expired":
      return { title: STRINGS.failed.title, text: collect.expired };
    case "secret_revoked":
      return { title: STRINGS.failed.title, text: collect.revoked };
    case "decryption_failed":
      return { title: STRINGS.failed.title, text: collect.undecryptable };
    case "unexpected_answer":
      return { title: STRINGS.failed.title, text: STRINGS.failed.other, canRetry: true };
    case "credential_missing":
    case "credential_invalid":
    case "credential_expired":
      return collect.signIn;
    default:
      return describeOpening(error);
  }
}
