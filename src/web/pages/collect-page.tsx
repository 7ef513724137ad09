import { useState } from "preact/hooks";
import { ClientError } from "../../client/errors.ts";
import { getRequest, hasEnded } from "../../client/requests.ts";
import { getSecret } from "../../client/secrets.ts";
import type { RequestMetadata, Submission } from "../../contract/requests.ts";
import { parseBackupLink } from "../../crypto/backup-links.ts";
import type { Content } from "../../crypto/contents.ts";
import { isOver } from "../asking/asked.ts";
import { readNotes } from "../asking/notes.ts";
import {
  findAgeIdentity,
  forgetAgeIdentity,
  isRepeatable,
  keepAgeIdentity,
  noteReplayEnd,
} from "../browser/age-identities.ts";
import type { KeptAgeIdentity } from "../browser/age-identities.ts";
import { forget } from "../browser/fragments.ts";
import { takeLink } from "../browser/links.ts";
import { topUrl } from "../browser/places.ts";
import { inWorker, startWorker } from "../browser/workers.ts";
import { ContentView } from "../parts/content-view.tsx";
import { describeFault, describeOpening, describeSessionFailure } from "../parts/failures.ts";
import type { Notice } from "../parts/failures.ts";
import { formatTime } from "../parts/formats.ts";
import { IdEnd, idEndOf } from "../parts/id-end.tsx";
import { useLoading } from "../parts/loading.tsx";
import { Interruption, Screen } from "../parts/screens.tsx";
import { useTask } from "../parts/tasks.ts";
import { claimSubmission } from "../service/claims.ts";
import { findPerson, requirePerson } from "../service/clients.ts";
import type { Person } from "../service/clients.ts";
import { useLive } from "../service/live.ts";
import { STRINGS } from "../strings.ts";

const { collect, list } = STRINGS;

/** A request, and what opens the answers to it. */
interface Collection {
  readonly person: Person;
  readonly request: RequestMetadata;
  readonly kept: KeptAgeIdentity;
  readonly note: string;
}

type State =
  | { readonly kind: "ready"; readonly collection: Collection }
  | { readonly kind: "opened"; readonly content: Content; readonly note: string };

/** `/c/{id}`: somebody who has asked for a secret opens what was handed in. */
export function CollectPage({ id }: { readonly id: string }) {
  const { state, screen, setState, reload } = useLoading<State>(id, begin, describeCollecting);
  if (!state) return screen;
  switch (state.kind) {
    case "ready":
      return (
        <CollectScreen
          collection={state.collection}
          onOpened={(content, note) => setState({ kind: "opened", content, note })}
        />
      );
    case "opened":
      return (
        <>
          <ContentView content={state.content} note={state.note} />
          <p>
            <button type="button" class="plain" onClick={reload}>
              {collect.back}
            </button>
          </p>
        </>
      );
  }
}

/** Finds what opens the answers, in this browser or in the link, and asks what has come in. */
async function begin(id: string): Promise<State | Notice> {
  const taken = takeLink(id, parseBackupLink);
  const person = await findPerson();
  // A link that was taken out of the address bar stays in this tab until then.
  if (!person) return collect.signIn;
  const request = await getRequest(person.client, id);
  const isWhole = typeof taken === "object";
  const kept =
    (await findAgeIdentity(person.id, id)) ?? (isWhole && (await adopt(person, request, taken.link.ageIdentity)));
  if (kept) return { kind: "ready", collection: { person, request, kept, note: await readNote(id, kept) } };
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
  /** Until when those that wait can be opened, by their ids. */
  readonly ends: ReadonlyMap<string, string>;
}

async function readAnswers({ person, request: { id }, kept: former }: Collection): Promise<Answers> {
  const [request, found] = await Promise.all([getRequest(person.client, id), findAgeIdentity(person.id, id)]);
  const kept = found ?? former;
  const waiting = request.submissions.filter(({ state }) => state === "available");
  const secrets = await Promise.all(waiting.map(({ secret_id: secretId }) => getSecret(person.client, secretId)));
  if (isOver(request, kept)) {
    await forgetAgeIdentity(person.id, id);
    void forget(id);
  }
  return { request, kept, ends: new Map(secrets.map((secret) => [secret.id, secret.expires_at])) };
}

function CollectScreen(props: {
  readonly collection: Collection;
  readonly onOpened: (content: Content, note: string) => void;
}) {
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
      const claim = { personId: person.id, requestId: request.id, secretId };
      const claimed = await claimSubmission(person.client, {
        ...claim,
        onProgress: (_, bytes, total) => say(STRINGS.open.opening(Math.round((100 * bytes) / (total ?? bytes)))),
      }).catch(async (error: unknown) => {
        if (error instanceof ClientError && error.kind === "gone") {
          await noteReplayEnd(person.id, request.id, { secretId, inMs: "over" });
          await live.refresh();
          if (kept.claims[secretId] && error.code === "secret_claimed") return undefined;
        }
        throw error;
      });
      if (!claimed) return collect.tooLate;
      const { envelope, until } = claimed;
      const key = { kind: "ageIdentities", ageIdentities: [kept.identity] } as const;
      const { keep, keepInBrowser } = STRINGS.opened;
      onOpened(
        await inWorker({ kind: "open", envelope, key }),
        until === null ? keep : keepInBrowser(formatTime(new Date(until).toISOString())),
      );
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
              <strong>{list.states[submission.state]}</strong>
              <small>
                <IdEnd id={submission.secret_id} /> · {describeSubmission(submission, ends)}
              </small>
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

function describeSubmission({ secret_id: id, created_at: at }: Submission, ends: ReadonlyMap<string, string>): string {
  const end = ends.get(id);
  return collect.handedIn(formatTime(at)) + (end === undefined ? "" : ` · ${collect.openUntil(formatTime(end))}`);
}

function describe(request: RequestMetadata): string {
  const { submissions, max_submissions: most, expires_at: expiresAt } = request;
  if (request.state === "paused" && submissions.length === 0) return collect.paused;
  if (!hasEnded(request)) {
    const until = collect.until(formatTime(expiresAt));
    return submissions.length === 0
      ? `${collect.nothingYet} ${until}`
      : `${list.submissions(submissions.length, most)}. ${until}`;
  }
  return submissions.length === 0 ? collect.nothing : list.submissions(submissions.length, most);
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
