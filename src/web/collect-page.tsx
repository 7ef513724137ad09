import { useState } from "preact/hooks";
import { ClientError } from "../client/errors.ts";
import { getRequest, hasEnded, type RequestMetadata } from "../client/requests.ts";
import type { Submission } from "../contract/requests.ts";
import { parseCollectLink } from "../crypto/collect-links.ts";
import type { Payload } from "../crypto/payloads.ts";
import { claimHere } from "./claims.ts";
import { getPerson, type Person } from "./clients.ts";
import { describeOpening, type Notice } from "./failures.ts";
import { formatTime } from "./formats.ts";
import { findKey, forget, keyOf, takeFragment } from "./fragments.ts";
import { findIdentity, forgetSoon, keepIdentity, lastUse } from "./identities.ts";
import { useLive } from "./live.ts";
import { useLoading } from "./loading.ts";
import { readNote } from "./notes.ts";
import { PayloadView } from "./payload-view.tsx";
import { topUrl } from "./places.ts";
import { Loading, NoticeScreen, Screen } from "./screens.tsx";
import { STRINGS } from "./strings.ts";
import { useTask } from "./tasks.ts";
import { inWorker, startWorker } from "./workers.ts";

const { collect, list } = STRINGS;

/** A request, and what opens the answers to it. */
interface Collection {
  readonly person: Person;
  readonly request: RequestMetadata;
  readonly identity: string;
  readonly note: string;
}

type State =
  | { readonly kind: "notice"; readonly notice: Notice }
  | { readonly kind: "ready"; readonly collection: Collection }
  | { readonly kind: "opened"; readonly payload: Payload };

/** `/c/{id}`: somebody who has asked for a secret opens what was handed in. */
export function CollectPage({ id }: { readonly id: string }) {
  const fail = (error: unknown): State => ({ kind: "notice", notice: describeCollecting(error) });
  const { state, setState, reload } = useLoading<State>(id, begin, fail);
  switch (state?.kind) {
    case undefined:
      return <Loading />;
    case "notice":
      return <NoticeScreen notice={state.notice} onRetry={reload} />;
    case "ready":
      return (
        <CollectScreen collection={state.collection} onOpened={(payload) => setState({ kind: "opened", payload })} />
      );
    case "opened":
      return (
        <>
          <PayloadView payload={state.payload} />
          <p>
            <button type="button" class="plain" onClick={reload}>
              {collect.back}
            </button>
          </p>
        </>
      );
  }
}

/** Finds what opens the answers, in the link or in this browser, and asks what has come in. */
async function begin(id: string): Promise<State> {
  const taken = takeFragment(id, (fragment) => parse(id, fragment) !== undefined);
  const linked = taken === undefined || taken === "broken" ? undefined : parse(id, taken.fragment);
  const person = await getPerson();
  // A link that was taken out of the address bar stays in this tab until then.
  if (!person) return { kind: "notice", notice: collect.signIn };
  const [request, kept] = await Promise.all([getRequest(person.client, id), findIdentity(id)]);
  if (kept) {
    forget(id);
    return { kind: "ready", collection: { person, request, identity: kept.identity, note: await readNote(kept) } };
  }
  if (linked === undefined) return { kind: "notice", notice: taken === "broken" ? STRINGS.broken : collect.noKey };
  const recipient = await inWorker({ kind: "recipient", identity: linked }).catch(() => undefined);
  if (recipient !== request.recipient) {
    forget(id);
    return { kind: "notice", notice: STRINGS.broken };
  }
  const until = lastUse(request, person.credential.limits.max_expires_in);
  if (await keepIdentity(id, { identity: linked, note: undefined, until })) forget(id);
  return { kind: "ready", collection: { person, request, identity: linked, note: "" } };
}

/** The identity of a collect link; undefined when the link is not whole, or of another request. */
function parse(id: string, fragment: string): string | undefined {
  try {
    const link = parseCollectLink(`${location.origin}${location.pathname.replace(/\/$/, "")}#${fragment}`);
    return link.id === id ? link.identity : undefined;
  } catch {
    return undefined;
  }
}

function CollectScreen(props: { readonly collection: Collection; readonly onOpened: (payload: Payload) => void }) {
  const { person, request: first, identity, note } = props.collection;
  const { client } = person;
  const [busyWith, setBusyWith] = useState("");
  const task = useTask((error) => describeCollecting(error).text);
  const { value: request = first, isSignedOut } = useLive(() => getRequest(client, first.id));

  const open = (id: string) =>
    task.run(async (say) => {
      setBusyWith(id);
      say(STRINGS.open.opening(100));
      try {
        // Before anything is used up: what cannot be decrypted here should stay where it is.
        await startWorker();
        const envelope = await claimHere(client, id, keyOf(id), (_, bytes, total) =>
          say(STRINGS.open.opening(Math.round((100 * bytes) / (total ?? bytes)))),
        );
        const key = { kind: "identities", identities: [identity] } as const;
        const payload = await inWorker({ kind: "open", envelope, key });
        if (isOver(request, id)) await forgetSoon(request.id);
        props.onOpened(payload);
      } catch (error) {
        if (error instanceof ClientError && error.kind === "gone") forget(id);
        throw error;
      }
      return undefined;
    });
  return (
    <Screen title={collect.title}>
      {note !== "" && <blockquote dir="auto">{note}</blockquote>}
      <p>{describe(request)}</p>
      {isSignedOut && <p>{STRINGS.signedOut.text}</p>}
      <ul class="files" aria-live="polite">
        {request.submissions.map((submission) => (
          <li key={submission.secret_id}>
            <span>
              <strong>{list.states[submission.state]}</strong>{" "}
              <small>{collect.handedIn(formatTime(submission.created_at))}</small>
            </span>
            {canOpen(submission) && (
              <button
                type="button"
                aria-disabled={task.progress !== ""}
                aria-label={collect.openThis(formatTime(submission.created_at))}
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

/** Whether it can be opened in this tab, also once more. */
function canOpen({ secret_id: id, state }: Submission): boolean {
  return state === "available" || (state === "claimed" && findKey(id) !== undefined);
}

/** Whether nothing is left to be opened once `id` is. */
function isOver(request: RequestMetadata, id: string): boolean {
  const others = request.submissions.filter((each) => each.secret_id !== id);
  return hasEnded(request) && others.every((each) => each.state !== "available");
}

function describe(request: RequestMetadata): string {
  const { submissions, max_submissions: most, expires_at: expiresAt } = request;
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
    case "not_found":
      return collect.unknown;
    case "secret_claimed":
      return { title: STRINGS.failed.title, text: collect.taken };
    case "credential_missing":
    case "credential_invalid":
    case "credential_expired":
      return collect.signIn;
    default:
      return describeOpening(error);
  }
}
