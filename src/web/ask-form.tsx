import { useState } from "preact/hooks";
import type { HttpClient } from "../client/http-client.ts";
import { storeRequest } from "../client/requests.ts";
import type { CredentialLimits } from "../contract/credentials.ts";
import { formatCollectLink } from "../crypto/collect-links.ts";
import { AskedLink, type Asked } from "./asked-link.tsx";
import { describeSessionFailure } from "./failures.ts";
import { keepIdentity, lastUse } from "./identities.ts";
import { topUrl } from "./places.ts";
import { lifetimesWithin, PolicyFields } from "./policy-fields.tsx";
import { Screen } from "./screens.tsx";
import { STRINGS } from "./strings.ts";
import { inWorker } from "./workers.ts";

const { ask } = STRINGS;
/** What fits, in any script, into what the server takes of a note. */
const MAX_NOTE_LENGTH = 2000;

/** Asks for a secret, and shows the link to pass on. */
export function AskForm({ client, limits }: { readonly client: HttpClient; readonly limits: CredentialLimits }) {
  const [note, setNote] = useState("");
  const [expiresIn, setExpiresIn] = useState(lifetimesWithin(limits).first);
  const [maxSubmissions, setMaxSubmissions] = useState(1);
  const [isBusy, setBusy] = useState(false);
  const [complaint, setComplaint] = useState("");
  const [asked, setAsked] = useState<Asked | undefined>(undefined);

  const makeLink = async () => {
    const prepared = await inWorker({ kind: "ask", note: note || undefined });
    const { identity, recipient } = prepared;
    const sealed = note && (await inWorker({ kind: "seal", payload: { kind: "text", text: note }, recipient }));
    const { link, request } = await storeRequest(client, prepared, { expiresIn, maxSubmissions });
    const until = lastUse(request, limits.max_expires_in);
    // Before anybody can have the link.
    const isKept = await keepIdentity(request.id, { identity, note: sealed || undefined, until });
    const collectLink = formatCollectLink({ baseUrl: topUrl(), id: request.id, identity });
    return { link, collectLink, request, isKept };
  };

  const submit = async () => {
    if (isBusy) return;
    setComplaint("");
    setBusy(true);
    try {
      setAsked(await makeLink());
      setNote("");
    } catch (error) {
      setComplaint(describeSessionFailure(error).text);
    }
    setBusy(false);
  };
  if (asked) return <AskedLink asked={asked} onMore={() => setAsked(undefined)} />;
  return (
    <Screen title={ask.title}>
      <p>{ask.text}</p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <label>
          {ask.note}
          <textarea
            rows={3}
            dir="auto"
            maxLength={MAX_NOTE_LENGTH}
            aria-describedby="note-hint"
            value={note}
            onInput={(event) => setNote(event.currentTarget.value)}
          />
          <small id="note-hint">{ask.noteHint}</small>
        </label>
        <PolicyFields
          limits={limits}
          lifetimeLabel={ask.lifetime}
          expiresIn={expiresIn}
          onExpiresIn={setExpiresIn}
          countLabel={ask.count}
          count={maxSubmissions}
          onCount={setMaxSubmissions}
        />
        <p role="alert" class="complaint">
          {complaint}
        </p>
        <button type="submit" aria-disabled={isBusy}>
          <span aria-live="polite">{isBusy ? ask.busy : ask.button}</span>
        </button>
      </form>
    </Screen>
  );
}
