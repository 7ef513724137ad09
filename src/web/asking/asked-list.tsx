import { useEffect, useState } from "preact/hooks";
import { hasEnded, revokeRequest } from "../../client/requests.ts";
import { linkPath } from "../../contract/links.ts";
import type { RequestSummary } from "../../contract/requests.ts";
import { topUrl } from "../browser/places.ts";
import { formatTime } from "../parts/formats.ts";
import { idEndOf } from "../parts/id-end.tsx";
import { RevokeButton } from "../parts/revoke-button.tsx";
import { requirePerson } from "../service/clients.ts";
import type { Person } from "../service/clients.ts";
import { LiveList } from "../service/live-list.tsx";
import { useLive } from "../service/live.ts";
import { STRINGS } from "../strings.ts";
import { loadAsked } from "./asked.ts";
import type { AskedRow } from "./asked.ts";

const { list } = STRINGS;
const PAGE_SIZE = 20;

/** The list of what somebody asked for, and of what has come in, as it happens. */
export function AskedList(props: {
  readonly person: Person;
  readonly onRead: (requests: readonly RequestSummary[]) => void;
}) {
  const { person, onRead } = props;
  const [count, setCount] = useState(PAGE_SIZE);
  const live = useLive(person, () => loadAsked(person, count), count);
  useEffect(() => onRead(live.value?.map(({ request }) => request) ?? []), [live.value]);
  const revoke = async (id: string) => {
    await requirePerson(person);
    await revokeRequest(person.client, id);
    await live.refresh();
  };
  return (
    <LiveList
      title={list.askedTitle}
      none={list.noneAsked}
      live={live}
      onMore={live.value?.length === count ? () => setCount(count + PAGE_SIZE) : undefined}
      rows={live.value?.map((row) => ({
        id: row.request.id,
        state: describeState(row),
        facts: describe(row),
        note: row.note,
        action: (
          <>
            {row.hasKey && row.request.submission_count > 0 && (
              <a href={topUrl() + linkPath("backup", row.request.id)}>{list.collect}</a>
            )}
            {!hasEnded(row.request) && (
              <RevokeButton
                label={list.revokeThis(idEndOf(row.request.id))}
                question={list.sureAsked}
                onRevoke={() => revoke(row.request.id)}
              />
            )}
          </>
        ),
      }))}
    />
  );
}

function describeState({ request, waiting, opened }: AskedRow): string {
  const { state, submission_count: count, max_submissions: most } = request;
  const ended = state === "expired" || state === "revoked" ? list.requestStates[state] : "";
  if (count === 0) return list.requestStates[state];
  const left = waiting > 0 ? list.waiting(waiting) : opened > 0 ? list.allOpened : list.states.expired;
  return [most > 1 ? list.submissions(count, most) : "", left, ended].filter(Boolean).join(", ");
}

function describe({ request, waiting, hasKey }: AskedRow): string {
  return list.asked(formatTime(request.created_at)) + (waiting > 0 && !hasKey ? ` · ${list.keyElsewhere}` : "");
}
