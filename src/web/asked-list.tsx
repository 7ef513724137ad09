import { useEffect, useState } from "preact/hooks";
import { listRequests, revokeRequest } from "../client/requests.ts";
import type { HttpClient } from "../client/http-client.ts";
import type { RequestSummary } from "../contract/requests.ts";
import { formatTime } from "./formats.ts";
import { forgetIdentity, type KeptIdentity, listIdentities } from "./identities.ts";
import { useLive } from "./live.ts";
import { topUrl } from "./places.ts";
import { RevokeButton } from "./revoke-button.tsx";
import { STRINGS } from "./strings.ts";
import { inWorker } from "./workers.ts";

const { list } = STRINGS;
const SHOWN = 20;

interface AskedRow {
  readonly request: RequestSummary;
  /** Undefined when it is in another browser. */
  readonly kept: KeptIdentity | undefined;
}

/** What the team asked for, and what has come in, as it happens. */
export function AskedList({ client }: { readonly client: HttpClient }) {
  const { value: rows, setValue, isSignedOut } = useLive(client, () => listAsked(client));
  const revoke = async (id: string) => {
    const { state } = await revokeRequest(client, id);
    setValue((all) =>
      all?.map((row) => (row.request.id === id ? { ...row, request: { ...row.request, state } } : row)),
    );
  };
  return (
    <section aria-labelledby="asked">
      <h2 id="asked">{list.askedTitle}</h2>
      {isSignedOut && <p>{STRINGS.signedOut.text}</p>}
      {rows?.length === 0 && <p class="quiet">{list.noneAsked}</p>}
      <ul class="files" aria-live="polite">
        {rows?.map(({ request, kept }) => (
          <li key={request.id}>
            <span>
              {describeState(request)} {kept && <Note kept={kept} />}
              <small>
                {list.asked(formatTime(request.created_at))}
                {request.submissions > 0 && !kept && ` · ${list.keyElsewhere}`}
              </small>
            </span>
            {kept && <a href={`${topUrl()}/c/${request.id}`}>{list.collect}</a>}
            {(request.state === "open" || request.state === "paused") && (
              <RevokeButton
                label={list.revokeAsked(formatTime(request.created_at))}
                onRevoke={() => revoke(request.id)}
              />
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What was asked for, which nobody but this browser can read. */
function Note({ kept }: { readonly kept: KeptIdentity }) {
  const [text, setText] = useState("");
  useEffect(() => {
    void readNote(kept).then(setText);
  }, [kept.identity]);
  return text === "" ? null : <bdi>{text} </bdi>;
}

/** What was asked for; empty when that is not known. */
export async function readNote({ identity, note }: KeptIdentity): Promise<string> {
  if (note === undefined) return "";
  const key = { kind: "identities", identities: [identity] } as const;
  const payload = await inWorker({ kind: "open", envelope: note, key }).catch(() => undefined);
  return payload?.kind === "text" ? payload.text : "";
}

function describeState({ state, submissions, max_submissions: most }: RequestSummary): string {
  if (submissions > 0 && most > 1) return list.submissions(submissions, most);
  return submissions > 0 ? list.handedIn : list.requestStates[state];
}

async function listAsked(client: HttpClient): Promise<AskedRow[]> {
  const [requests, kept] = await Promise.all([listRequests(client, SHOWN), listIdentities()]);
  const useless = requests.filter(
    ({ state, submissions }) => submissions === 0 && state !== "open" && state !== "paused",
  );
  for (const { id } of useless) await forgetIdentity(id);
  return requests.map((request) => ({
    request,
    kept: useless.includes(request) ? undefined : kept.get(request.id),
  }));
}
