import { useRef, useState } from "preact/hooks";
import { ClientError } from "../../client/errors.ts";
import type { HttpClient } from "../../client/http-client.ts";
import { getInvitation, submitEnvelope } from "../../client/requests.ts";
import type { VerifiedInvitation } from "../../client/requests.ts";
import { getCredential } from "../../client/secrets.ts";
import type { Envelope } from "../../contract/envelopes.ts";
import { deriveRequestKeys, parseRequestLink } from "../../crypto/request-links.ts";
import { forget } from "../browser/fragments.ts";
import { takeLink } from "../browser/links.ts";
import { readPast, rememberPast } from "../browser/past-links.ts";
import { useUnsaved } from "../browser/unsaved.ts";
import type { UploadProgress } from "../browser/uploads.ts";
import { inWorker, prepareWorker } from "../browser/workers.ts";
import { useLoading } from "../frame/loading.tsx";
import type { Notice } from "../frame/notices.ts";
import { Screen } from "../frame/screens.tsx";
import {
  complaintAbout,
  ContentFields,
  isEmpty,
  isSurelyTooLarge,
  NO_CONTENT,
  tooLarge,
} from "../parts/content-fields.tsx";
import { describeFailure, describeFault, describeLinkFailure } from "../parts/failures.ts";
import { readContent } from "../parts/file-contents.ts";
import { formatTime } from "../parts/formats.ts";
import { TaskForm } from "../parts/task-form.tsx";
import { useOnce, useTask } from "../parts/tasks.ts";
import { createLinkClient } from "../service/clients.ts";
import { STRINGS } from "../strings.ts";

const { submit } = STRINGS;

/** Makes a client with the token of the link. */
type Connect = (onUpload?: UploadProgress) => HttpClient;

type State =
  | {
      readonly kind: "ready";
      readonly connect: Connect;
      readonly invitation: VerifiedInvitation;
      readonly note: string | undefined;
    }
  /** `hadEarlier` when something else was sent before, and nobody here knows whether it arrived. */
  | { readonly kind: "done"; readonly secretId: string; readonly hadEarlier: boolean };

/** `/r/{id}`: somebody is asked for a secret. */
export function SubmitPage({ id }: { readonly id: string }) {
  const { state, screen, setState } = useLoading<State>(id, begin, describeRefusal);
  if (!state) return screen;
  switch (state.kind) {
    case "ready":
      return (
        <SubmitScreen
          id={id}
          connect={state.connect}
          invitation={state.invitation}
          note={state.note}
          onDone={(secretId, hadEarlier) => {
            void forget(id);
            rememberPast(id, { kind: "handed-in", secretId, hadEarlier });
            setState({ kind: "done", secretId, hadEarlier });
          }}
        />
      );
    case "done":
      return (
        <Screen title={submit.done.title}>
          <p>{submit.done.text}</p>
          {state.hadEarlier && <p>{submit.done.hadEarlier}</p>}
          <p class="quiet">
            {submit.done.receipt}: <code>{state.secretId}</code>
          </p>
        </Screen>
      );
  }
}

/** Reads the link and the invitation; the pin is compared before anything is shown. */
async function begin(id: string): Promise<State | Notice> {
  const taken = takeLink(id, parseRequestLink);
  if (taken === undefined) return describeMissing(id);
  if (typeof taken === "string") return describeFault(taken);
  const { link } = taken;
  const { submitToken, notePassphrase } = await deriveRequestKeys(link.seed);
  const connect: Connect = (onUpload) => createLinkClient(link.baseUrl, submitToken, onUpload);
  prepareWorker();
  const invitation = await getInvitation(connect(), link);
  const { note: sealed } = invitation;
  const note = sealed && (await inWorker({ kind: "note", envelope: sealed, passphrase: notePassphrase }));
  return { kind: "ready", connect, invitation, note };
}

/** The screen of an address without its fragment, of which this tab has nothing. */
function describeMissing(id: string): State | Notice {
  const past = readPast(id);
  if (!past) return STRINGS.noKey;
  if (past.kind !== "handed-in") return STRINGS.forgotten;
  const { secretId, hadEarlier } = past;
  return { kind: "done", secretId, hadEarlier };
}

/** Something sealed that was sent, and the key of that call. */
interface SentEnvelope {
  readonly envelope: Envelope;
  readonly idempotencyKey: string;
}

function SubmitScreen(props: {
  readonly id: string;
  readonly connect: Connect;
  readonly invitation: VerifiedInvitation;
  readonly note: string | undefined;
  readonly onDone: (secretId: string, hadEarlier: boolean) => void;
}) {
  const { id, connect, invitation, note } = props;
  const [content, setContent] = useState(NO_CONTENT);
  const task = useTask((error) => describeFailure(error).text);
  const sealOnce = useOnce<Envelope>();
  /** The envelopes that were sent without an answer, so that they may have arrived. */
  const unanswered = useRef<readonly SentEnvelope[]>([]);
  useUnsaved(!isEmpty(content), "typed");

  const handIn = async (say: (progress: string) => void): Promise<string | undefined> => {
    const wrong = complaintAbout(content);
    if (wrong !== undefined) return wrong;
    say(STRINGS.content.encrypting);
    const { max_ciphertext_bytes: maxBytes } = (await getCredential(connect())).limits;
    if (isSurelyTooLarge(content, maxBytes)) return tooLarge(maxBytes);
    const { value: envelope, idempotencyKey } = await sealOnce([content], async () =>
      inWorker({ kind: "seal", content: await readContent(content), recipient: invitation.recipient }),
    );
    if (envelope.ciphertext.length > maxBytes) return tooLarge(maxBytes);
    say(STRINGS.content.sending(0));
    const uploading = connect((percent) => say(STRINGS.content.sending(percent)));
    const earlier = unanswered.current.filter((each) => each.idempotencyKey !== idempotencyKey);
    try {
      const { secret_id: secretId } = await submitEnvelope(uploading, id, envelope, { idempotencyKey });
      props.onDone(secretId, earlier.length > 0);
      return undefined;
    } catch (error) {
      if (!isRefusal(error)) {
        unanswered.current = [...earlier, { envelope, idempotencyKey }];
        throw error;
      }
      return `${await describeUnsent(uploading, id, { error, earlier })} ${submit.kept}`;
    }
  };

  const send = () => task.run((say) => handIn(say).catch((error: unknown) => describeLate(error)));
  return (
    <Screen title={submit.title}>
      {note === undefined ? (
        <p>{submit.noNote}</p>
      ) : (
        <>
          <p>{submit.note}</p>
          <blockquote dir="auto">{note}</blockquote>
        </>
      )}
      <p class="quiet">{submit.until(formatTime(invitation.expiresAt))}</p>
      <TaskForm task={task} label={submit.button} onSubmit={send}>
        <ContentFields content={content} isBusy={task.progress !== ""} onChange={setContent} />
      </TaskForm>
    </Screen>
  );
}

/** True when the server takes nothing for this request, now or ever, so that what was sent is surely not there. */
function isRefusal(error: unknown): error is ClientError {
  return error instanceof ClientError && (error.kind === "gone" || error.code === "request_paused");
}

/** The complaint for when the request was over before anything could be sent. Throws what is another failure. */
function describeLate(error: unknown): string {
  if (!isRefusal(error)) throw error;
  return `${submit.notSent} ${describeRefusal(error).text} ${submit.kept}`;
}

/** The complaint for when what was typed last is refused: perhaps because what was sent `earlier` has arrived. */
async function describeUnsent(
  client: HttpClient,
  id: string,
  { error, earlier }: { readonly error: ClientError; readonly earlier: readonly SentEnvelope[] },
): Promise<string> {
  // Nothing can be stored any more: sent once more, it only says whether it had been.
  if (error.kind === "gone") {
    for (const { envelope, idempotencyKey } of earlier) {
      // A refusal says that this one had not arrived.
      const receipt = await submitEnvelope(client, id, envelope, { idempotencyKey }).catch(() => undefined);
      if (receipt) return submit.earlierArrived;
    }
  }
  const refused = `${submit.notSent} ${describeRefusal(error).text}`;
  return earlier.length > 0 && error.kind !== "gone" ? `${refused} ${submit.done.hadEarlier}` : refused;
}

function describeRefusal(error: unknown): Notice {
  switch (error instanceof ClientError ? error.code : "") {
    case "recipient_swapped":
      return submit.swapped;
    case "decryption_failed":
      return { title: STRINGS.failed.title, text: submit.noteBroken };
    case "request_paused":
      return { ...submit.paused, canRetry: true };
    case "request_fulfilled":
      return submit.fulfilled;
    case "request_expired":
      return submit.expired;
    case "request_revoked":
      return submit.revoked;
    default:
      return describeLinkFailure(error);
  }
}
