import { useEffect, useState } from "preact/hooks";
import { storeRequest } from "../../client/requests.ts";
import type { PreparedRequest } from "../../client/requests.ts";
import type { Envelope } from "../../contract/envelopes.ts";
import { formatBackupLink } from "../../crypto/backup-links.ts";
import { isBlank } from "../../crypto/contents.ts";
import { keepAgeIdentity, requestPersistence } from "../browser/age-identities.ts";
import { topUrl } from "../browser/places.ts";
import { useUnsaved } from "../browser/unsaved.ts";
import { inWorker, prepareWorker } from "../browser/workers.ts";
import { Screen } from "../frame/screens.tsx";
import { useCount } from "../parts/counts.ts";
import { describeSessionFailure } from "../parts/failures.ts";
import { TaskForm } from "../parts/task-form.tsx";
import { useOnce, useTask } from "../parts/tasks.ts";
import { TermsFields } from "../parts/terms-fields.tsx";
import { requirePerson } from "../service/clients.ts";
import type { Person } from "../service/clients.ts";
import { STRINGS } from "../strings.ts";
import { AskedLink } from "./asked-link.tsx";
import type { Asked } from "./asked-link.tsx";

const { ask } = STRINGS;
/** The length, in characters, at which a note in any script fits into what the server takes. */
const MAX_NOTE_LENGTH = 2000;

/** Asks for a secret, and shows the link to pass on. */
export function AskForm({ person }: { readonly person: Person }) {
  const { client, credential } = person;
  const { limits } = credential;
  const [note, setNote] = useState("");
  const [expiresIn, setExpiresIn] = useState(limits.default_expires_in);
  const count = useCount(1, limits.max_claims);
  const [asked, setAsked] = useState<Asked | undefined>(undefined);
  const task = useTask((error) => describeSessionFailure(error).text);
  const prepareOnce = useOnce<Prepared>();
  useUnsaved(note !== "", "typed");
  useEffect(prepareWorker, []);

  const submit = () =>
    task.run(async (say) => {
      const maxSubmissions = count.read();
      if (maxSubmissions === undefined) return undefined;
      say(ask.busy);
      const { value, idempotencyKey, done } = await prepareOnce([note, expiresIn, maxSubmissions], () => prepare(note));
      // Not before: making keys takes a while, in which somebody else may sign in.
      await requirePerson(person);
      const { ageIdentity } = value.request;
      const { link, request } = await storeRequest(client, value.request, {
        ttlSeconds: expiresIn,
        maxSubmissions,
        idempotencyKey,
      });
      // Before anybody can have the link.
      const isKept = await keepAgeIdentity(person.id, request.id, {
        identity: ageIdentity,
        note: value.ownNote,
        claims: {},
      });
      const isSafe = isKept && (await requestPersistence());
      const backupLink = formatBackupLink({ baseUrl: topUrl(), id: request.id, ageIdentity });
      done();
      setAsked({ link, backupLink, request, isKept, isSafe });
      setNote("");
      return undefined;
    });
  if (asked) return <AskedLink person={person} asked={asked} onMore={() => setAsked(undefined)} />;
  return (
    <Screen title={ask.title}>
      <p>{ask.text}</p>
      <TaskForm task={task} label={ask.button} noValidate onSubmit={submit}>
        <label>
          {ask.note}
          <textarea
            rows={3}
            dir="auto"
            maxLength={MAX_NOTE_LENGTH}
            aria-describedby="note-hint"
            readOnly={task.progress !== ""}
            value={note}
            onInput={(event) => setNote(event.currentTarget.value)}
          />
          <small id="note-hint">{ask.noteHint}</small>
        </label>
        <TermsFields
          limits={limits}
          lifetimeLabel={ask.lifetime}
          expiresIn={expiresIn}
          onExpiresIn={setExpiresIn}
          countLabel={ask.count}
          count={count}
        />
      </TaskForm>
    </Screen>
  );
}

/** A request to be stored, and its note once more, as this browser keeps it: encrypted to the age identity itself. */
interface Prepared {
  readonly request: PreparedRequest;
  readonly ownNote: Envelope | undefined;
}

async function prepare(note: string): Promise<Prepared> {
  const isAsked = !isBlank(note);
  const request = await inWorker({ kind: "ask", note: isAsked ? note : undefined });
  if (!isAsked) return { request, ownNote: undefined };
  const { recipient } = request;
  return { request, ownNote: await inWorker({ kind: "seal", content: { kind: "text", text: note }, recipient }) };
}
