import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { SentSecret } from "../../client/stored-secrets.ts";
import type { Secret } from "../../contract/secrets.ts";
import { keepLabel } from "../browser/labels.ts";
import { useUnsaved } from "../browser/unsaved.ts";
import type { PeoplePart } from "../composing/chosen-people.ts";
import { TicketFact } from "../composing/ticket-fact.tsx";
import { Icon } from "../frame/icon.tsx";
import { Screen } from "../frame/screens.tsx";
import { formatPast, formatTime } from "../parts/formats.ts";
import { LinkView } from "../parts/link-view.tsx";
import type { Person } from "../service/clients.ts";
import { SENDING } from "../texts/sending.ts";
import type { ApproverPart } from "./approvers.ts";
import { LabelField } from "./label-field.tsx";
import { LiveStrip } from "./live-strip.tsx";
import { describeLink } from "./messages.ts";
import { PassphraseLine } from "./passphrase-step.tsx";
import { useSecret } from "./watched-secrets.ts";

const { sent: words } = SENDING;

/** Shows the new link, which is not stored, and the live state of the secret. */
export function SentLink(props: {
  readonly person: Person;
  readonly sent: SentSecret;
  /** Empty when the secret needs none. */
  readonly passphrase: string;
  /** What shows whom it is for; undefined where that is everyone with the link. */
  readonly part: PeoplePart | undefined;
  /** What shows who has to approve; undefined where that is nobody. */
  readonly approverPart: ApproverPart | undefined;
  readonly onMore: () => void;
  /** Shown below, while nobody has opened it. */
  readonly children: ComponentChildren;
}) {
  const { person, sent, passphrase, part, approverPart, onMore, children } = props;
  const [label, setLabel] = useState("");
  const watched = useSecret(person, sent.secret, label);
  const { secret } = watched;
  const [isTaken, setTaken] = useState(false);
  useUnsaved(!isTaken && secret.state === "available", "link");
  const save = (typed: string) => {
    setLabel(typed);
    void keepLabel(person.id, secret.id, typed);
  };
  const { for: people, approval } = sent.secret;
  const ledeOf = (people && part?.words.lede) ?? (approval && approverPart?.words.lede) ?? words.lede;
  const { title, lede } = describe(secret, passphrase === "" ? ledeOf : words.ledeWithPassphrase);
  const isWaiting = secret.state === "available";
  return (
    <Screen title={title} lede={lede} icon="check" envelope={isWaiting ? "closed" : "over"}>
      {isWaiting && (
        <>
          <LinkView
            link={sent.link}
            label={words.link}
            message={describeLink(sent.link, {
              times: secret.max_claims,
              expiresAt: secret.expires_at,
              needsPassphrase: passphrase !== "",
              approval: approval && approverPart?.words.message[approval],
            })}
            onTaken={() => setTaken(true)}
          />
          {passphrase !== "" && <PassphraseLine passphrase={passphrase} />}
        </>
      )}
      {part && people && <part.ForPeople list={people} />}
      {isWaiting && approval && approverPart && (
        <div class="notice good">
          <Icon name="lock" />
          <p>{approverPart.words.decides[approval]}</p>
        </div>
      )}
      <LabelField label={label} onSaved={save} />
      <TicketFact ticket={secret.reference} />
      <LiveStrip person={person} watched={watched} onMore={onMore} />
      {isWaiting && children}
    </Screen>
  );
}

/** The title of the screen, and what the link can still do. */
function describe(secret: Secret, lede: typeof words.lede): { readonly title: string; readonly lede: string } {
  const ended = formatPast(secret.ended_at ?? secret.expires_at);
  switch (secret.state) {
    case "available":
      return {
        title: words.title,
        lede: lede(secret.max_claims, formatTime(secret.expires_at)),
      };
    case "claimed":
      return { title: words.claimedTitle, lede: words.claimedText(ended) };
    case "expired":
      return { title: words.expiredTitle, lede: words.expiredText(ended) };
    case "revoked":
      return { title: words.revokedTitle, lede: words.revokedText };
  }
}
