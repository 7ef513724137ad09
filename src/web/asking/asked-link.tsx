import { useState } from "preact/hooks";
import { getRequest, hasEnded } from "../../client/requests.ts";
import { linkPath } from "../../contract/links.ts";
import type { RequestMetadata } from "../../contract/requests.ts";
import { topUrl } from "../browser/places.ts";
import { useUnsaved } from "../browser/unsaved.ts";
import { TicketFact } from "../composing/ticket-fact.tsx";
import { mayLose } from "../frame/leaving.ts";
import { Screen } from "../frame/screens.tsx";
import { Fact } from "../parts/fact.tsx";
import { formatPast, formatTime } from "../parts/formats.ts";
import { LinkView } from "../parts/link-view.tsx";
import { toShownNote } from "../parts/shown-notes.ts";
import type { Person } from "../service/clients.ts";
import { useLive } from "../service/live.ts";
import { ACTIVITY } from "../texts/activity.ts";
import { SENDING } from "../texts/sending.ts";
import { KeyBackup } from "./key-backup.tsx";
import { RequestStrip } from "./request-strip.tsx";

const { asked: words } = SENDING;

/** A request that was created in this tab. */
export interface Asked {
  readonly link: string;
  /** The link that opens the request in another browser. */
  readonly backupLink: string;
  readonly request: RequestMetadata;
  /** Empty when there is none. */
  readonly note: string;
  /** True when this browser keeps the private key. */
  readonly isKept: boolean;
}

/** The request link while it accepts secrets, the private key to save, and the current state of the request. */
export function AskedLink(props: { readonly person: Person; readonly asked: Asked; readonly onMore: () => void }) {
  const { person, asked, onMore } = props;
  const { id } = asked.request;
  const live = useLive(person, () => getRequest(person.client, id), { key: id, isNews: true });
  const request = live.value ?? asked.request;
  const [isTaken, setTaken] = useState(false);
  useUnsaved(!isTaken && !hasEnded(request), "link");
  return (
    <>
      {hasEnded(request) ? (
        <OverScreen request={request} hasKey={asked.isKept} />
      ) : (
        <ReadyScreen asked={asked} request={request} onTaken={() => setTaken(true)} />
      )}
      <KeyBackup
        link={asked.backupLink}
        idEnd={id.slice(-6)}
        isKept={asked.isKept}
        // Submissions can still be opened after the request stops accepting them.
        isOfUse={!hasEnded(request) || request.submission_count > 0}
      />
      <RequestStrip
        person={person}
        request={request}
        hasKey={asked.isKept}
        live={live}
        onMore={() => void mayLose().then((may) => may && onMore())}
      />
    </>
  );
}

function ReadyScreen(props: {
  readonly asked: Asked;
  readonly request: RequestMetadata;
  readonly onTaken: () => void;
}) {
  const { asked, request, onTaken } = props;
  return (
    <Screen title={words.title} icon="check" tone="good" lede={words.lede}>
      <LinkView
        link={asked.link}
        label={words.link}
        copyLabel={words.copy}
        codeHint={words.codeHint}
        onTaken={onTaken}
      />
      <ul class="facts">
        <Fact icon="inbox" meaning={words.accepts(request.max_submissions, formatTime(request.expires_at))}>
          <bdi translate={false}>{toShownNote(asked.note) || ACTIVITY.collect.title}</bdi>
        </Fact>
        <TicketFact ticket={request.reference} />
        <Fact icon={asked.isKept ? "key" : "warning"} meaning={asked.isKept ? words.keptText : words.notKeptText}>
          {asked.isKept ? words.kept : words.notKept}
        </Fact>
      </ul>
    </Screen>
  );
}

/** The screen of a request that accepts nothing more. */
function OverScreen({ request, hasKey }: { readonly request: RequestMetadata; readonly hasKey: boolean }) {
  const ended = formatPast(request.ended_at ?? request.expires_at);
  switch (request.state) {
    case "open":
    case "paused":
      return null;
    case "fulfilled":
      return (
        <Screen title={words.fulfilledTitle} icon="inbox" tone="good" lede={words.fulfilledText(ended)}>
          {hasKey && (
            <div class="buttons">
              <a class="button primary wide-on-phone" href={topUrl() + linkPath("backup", request.id)}>
                {ACTIVITY.activity.collect}
              </a>
            </div>
          )}
        </Screen>
      );
    case "expired":
      return <Screen title={words.expiredTitle} icon="expired" lede={words.expiredText(ended)} />;
    case "revoked":
      return <Screen title={words.revokedTitle} icon="revoked" lede={words.revokedText(ended)} />;
  }
}
