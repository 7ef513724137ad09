import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { getRequest, hasEnded } from "../../client/requests.ts";
import { linkPath } from "../../contract/links.ts";
import type { RequestMetadata } from "../../contract/requests.ts";
import { topUrl } from "../browser/places.ts";
import { useUnsaved } from "../browser/unsaved.ts";
import type { PeoplePart } from "../composing/chosen-people.ts";
import { TicketFact } from "../composing/ticket-fact.tsx";
import { mayLose } from "../frame/leaving.ts";
import { Screen } from "../frame/screens.tsx";
import { formatForMessage, formatPast, formatTime } from "../parts/formats.ts";
import { LinkView } from "../parts/link-view.tsx";
import { toShownNote } from "../parts/shown-notes.ts";
import { Warning } from "../parts/warning.tsx";
import type { Person } from "../service/clients.ts";
import { useLive } from "../service/live.ts";
import { may } from "../service/scopes.ts";
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
export function AskedLink(props: {
  readonly person: Person;
  readonly asked: Asked;
  /** What shows whom it is for; undefined where that is everyone with the link. */
  readonly part: PeoplePart | undefined;
  readonly onMore: () => void;
}) {
  const { person, asked, part, onMore } = props;
  const { id } = asked.request;
  const live = useLive(person, () => getRequest(person.client, id), {
    key: id,
    isNews: true,
    isOff: !may(person, "requests:read"),
  });
  const request = live.value ?? asked.request;
  const [isTaken, setTaken] = useState(false);
  useUnsaved(!isTaken && !hasEnded(request), "link");
  const strip = (
    <RequestStrip
      person={person}
      request={request}
      hasKey={asked.isKept}
      live={live}
      onMore={() => void mayLose().then((isFree) => isFree && onMore())}
    />
  );
  return (
    <>
      {hasEnded(request) ? (
        <OverScreen request={request} canCollect={asked.isKept && may(person, "secrets:claim")}>
          {strip}
        </OverScreen>
      ) : (
        <ReadyScreen asked={asked} request={request} part={part} onTaken={() => setTaken(true)}>
          {strip}
        </ReadyScreen>
      )}
      <KeyBackup
        link={asked.backupLink}
        idEnd={id.slice(-6)}
        isKept={asked.isKept}
        // Submissions can still be opened after the request stops accepting them.
        isOfUse={!hasEnded(request) || request.submission_count > 0}
      />
    </>
  );
}

function ReadyScreen(props: {
  readonly asked: Asked;
  readonly request: RequestMetadata;
  readonly part: PeoplePart | undefined;
  readonly onTaken: () => void;
  readonly children: ComponentChildren;
}) {
  const { asked, request, part, onTaken, children } = props;
  const note = toShownNote(asked.note);
  const until = formatTime(request.expires_at);
  return (
    <Screen
      title={words.title}
      icon="check"
      envelope="closed"
      lede={`${words.lede} ${words.accepts(request.max_submissions, until)}`}
    >
      <LinkView
        link={asked.link}
        label={words.link}
        message={words.messageText(asked.link, formatForMessage(request.expires_at))}
        copyLabel={words.copy}
        onTaken={onTaken}
      />
      {note !== "" && (
        <blockquote class="quote" dir="auto" translate={false}>
          {note}
        </blockquote>
      )}
      {part && asked.request.for && <part.ForPeople list={asked.request.for} />}
      <TicketFact ticket={request.reference} />
      {asked.isKept ? (
        <p class="hint">
          {words.kept} {words.keptText}
        </p>
      ) : (
        <Warning>
          <b>{words.notKept}</b> {words.notKeptText}
        </Warning>
      )}
      {children}
    </Screen>
  );
}

/** The screen of a request that accepts nothing more. */
function OverScreen(props: {
  readonly request: RequestMetadata;
  readonly canCollect: boolean;
  readonly children: ComponentChildren;
}) {
  const { request, canCollect, children } = props;
  const ended = formatPast(request.ended_at ?? request.expires_at);
  switch (request.state) {
    case "open":
    case "paused":
      return null;
    case "fulfilled":
      return (
        <Screen title={words.fulfilledTitle} envelope="over" lede={words.fulfilledText(ended)}>
          {canCollect && (
            <div class="buttons">
              <a class="button primary" href={topUrl() + linkPath("backup", request.id)}>
                {ACTIVITY.activity.collect}
              </a>
            </div>
          )}
          {children}
        </Screen>
      );
    case "expired":
      return (
        <Screen title={words.expiredTitle} envelope="over" lede={words.expiredText(ended)}>
          {children}
        </Screen>
      );
    case "revoked":
      return (
        <Screen title={words.revokedTitle} envelope="over" lede={words.revokedText(ended)}>
          {children}
        </Screen>
      );
  }
}
