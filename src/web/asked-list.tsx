import { useEffect, useState } from "preact/hooks";
import { hasEnded, listRequests, revokeRequest } from "../client/requests.ts";
import type { RequestSummary } from "../contract/requests.ts";
import type { Person } from "./clients.ts";
import { formatTime } from "./formats.ts";
import { forgetIdentity, type KeptIdentity, listIdentities } from "./identities.ts";
import { LiveList } from "./live-list.tsx";
import { useLive } from "./live.ts";
import { readNote } from "./notes.ts";
import { topUrl } from "./places.ts";
import { RevokeButton } from "./revoke-button.tsx";
import { STRINGS } from "./strings.ts";

const { list } = STRINGS;
const PAGE_SIZE = 20;

interface AskedRow {
  readonly request: RequestSummary;
  /** Undefined when it is in another browser. */
  readonly kept: KeptIdentity | undefined;
}

/** What somebody asked for, and what has come in, as it happens. */
export function AskedList({ person }: { readonly person: Person }) {
  const [count, setCount] = useState(PAGE_SIZE);
  const live = useLive(() => listAsked(person, count), count);
  const revoke = async (id: string) => {
    await revokeRequest(person.client, id);
    await live.refresh();
  };
  return (
    <LiveList
      title={list.askedTitle}
      none={list.noneAsked}
      isSignedOut={live.isSignedOut}
      onMore={live.value?.length === count ? () => setCount(count + PAGE_SIZE) : undefined}
      rows={live.value?.map(({ request, kept }) => ({
        id: request.id,
        state: describeState(request),
        facts: describe(request, kept),
        note: kept && <Note kept={kept} />,
        action: (
          <>
            {kept && request.submissions > 0 && <a href={`${topUrl()}/c/${request.id}`}>{list.collect}</a>}
            {!hasEnded(request) && (
              <RevokeButton label={list.revokeThis(request.id.slice(-6))} onRevoke={() => revoke(request.id)} />
            )}
          </>
        ),
      }))}
    />
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

function describeState({ state, submissions, max_submissions: most }: RequestSummary): string {
  if (submissions > 0 && most > 1) return list.submissions(submissions, most);
  return submissions > 0 ? list.handedIn : list.requestStates[state];
}

function describe({ created_at: created, submissions }: RequestSummary, kept: KeptIdentity | undefined): string {
  return list.asked(formatTime(created)) + (submissions > 0 && !kept ? ` · ${list.keyElsewhere}` : "");
}

async function listAsked({ client, id: createdBy }: Person, limit: number): Promise<AskedRow[]> {
  const [requests, kept] = await Promise.all([listRequests(client, { limit, createdBy }), listIdentities()]);
  const useless = requests.filter((request) => request.submissions === 0 && hasEnded(request));
  for (const { id } of useless) await forgetIdentity(id);
  return requests.map((request) => ({
    request,
    kept: useless.includes(request) ? undefined : kept.get(request.id),
  }));
}
