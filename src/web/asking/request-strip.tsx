import { useEffect, useRef, useState } from "preact/hooks";
import { hasEnded } from "../../client/requests.ts";
import { linkPath } from "../../contract/links.ts";
import type { RequestMetadata } from "../../contract/requests.ts";
import { topUrl } from "../browser/places.ts";
import { Complaint } from "../parts/complaint.tsx";
import { StateChip } from "../parts/state-chip.tsx";
import { countSubmissions } from "../service/asked.ts";
import type { Person } from "../service/clients.ts";
import { LiveNotice } from "../service/live-notice.tsx";
import type { Live } from "../service/live.ts";
import { askToRevokeRequest, revokeOwnRequest } from "../service/revocations.ts";
import { RevokeButton, useRevocation } from "../service/revoke-button.tsx";
import { may } from "../service/scopes.ts";
import { stateOfRequest } from "../service/states.ts";
import { useTabNews } from "../service/tab-news.ts";
import type { TabNews } from "../service/tab-news.ts";
import { ACTIVITY } from "../texts/activity.ts";
import { SENDING } from "../texts/sending.ts";

const { asked: words } = SENDING;

/** The live state of a request, a link to its submissions, and a button that revokes it. */
export function RequestStrip(props: {
  readonly person: Person;
  readonly request: RequestMetadata;
  /** True when this browser has the private key. */
  readonly hasKey: boolean;
  readonly live: Live<unknown>;
  readonly onMore: () => void;
}) {
  const { person, request, hasKey, live, onMore } = props;
  const { id, submissions } = request;
  const counts = countSubmissions(submissions);
  const state = stateOfRequest({ request, note: "", hasKey, ...counts });
  // Without reading it, the page would not know what became of it.
  const canRead = may(person, "requests:read");
  const canRevoke = !hasEnded(request) && canRead && may(person, "requests:revoke");
  const revocation = useRevocation(
    () => askToRevokeRequest(hasKey ? counts.waiting : 0),
    async () => {
      await revokeOwnRequest(person, id);
      await live.refresh();
    },
  );
  useTabNews(useArrival(submissions.length, `${ACTIVITY.activity.request}: ${state.text}`));
  return (
    <section class="status" aria-label={words.live}>
      <LiveNotice live={live} />
      <div class="status-text">
        <span role="status">{canRead && <StateChip state={state} />}</span>
        {hasKey && may(person, "secrets:claim") && counts.waiting > 0 && request.state !== "fulfilled" && (
          <a href={topUrl() + linkPath("backup", id)}>{ACTIVITY.activity.collect}</a>
        )}
      </div>
      <div class="status-tools">
        {canRevoke && <RevokeButton revocation={revocation} label={ACTIVITY.activity.revoke} />}
        <button type="button" class="button text" onClick={onMore}>
          {words.more}
        </button>
      </div>
      <Complaint text={canRevoke ? revocation.complaint : ""} />
    </section>
  );
}

/** Returns tab news with `text` whenever `count` has grown. */
function useArrival(count: number, text: string): TabNews | undefined {
  const former = useRef(count);
  const [news, setNews] = useState<TabNews | undefined>(undefined);
  useEffect(() => {
    if (count > former.current) setNews({ text });
    former.current = count;
  }, [count]);
  return news;
}
