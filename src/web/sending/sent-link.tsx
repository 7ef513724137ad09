import { useState } from "preact/hooks";
import type { SentSecret } from "../../client/stored-secrets.ts";
import type { Secret } from "../../contract/secrets.ts";
import { useUnsaved } from "../browser/unsaved.ts";
import { TicketFact } from "../composing/ticket-fact.tsx";
import { Icon } from "../frame/icon.tsx";
import { Screen } from "../frame/screens.tsx";
import { CopyButton } from "../parts/copy-button.tsx";
import { Fact } from "../parts/fact.tsx";
import { formatPast, formatWhen } from "../parts/formats.ts";
import { LinkView } from "../parts/link-view.tsx";
import type { Person } from "../service/clients.ts";
import { SENDING } from "../texts/sending.ts";
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
  /** The sender's own name for the secret; empty when it has none. */
  readonly label: string;
  readonly onMore: () => void;
}) {
  const { person, sent, passphrase, label, onMore } = props;
  const watched = useSecret(person, sent.secret, label);
  const { secret } = watched;
  const [isTaken, setTaken] = useState(false);
  useUnsaved(!isTaken && secret.state === "available", "link");
  return (
    <>
      {secret.state === "available" ? (
        <ReadyScreen sent={sent} secret={secret} passphrase={passphrase} onTaken={() => setTaken(true)} />
      ) : (
        <OverScreen secret={secret} />
      )}
      <LiveStrip person={person} watched={watched} label={label} onMore={onMore} />
    </>
  );
}

function ReadyScreen(props: {
  readonly sent: SentSecret;
  readonly secret: Secret;
  readonly passphrase: string;
  readonly onTaken: () => void;
}) {
  const { sent, secret, passphrase, onTaken } = props;
  const view = <LinkView link={sent.link} label={words.link} codeHint={words.codeHint} onTaken={onTaken} />;
  const needsPassphrase = passphrase !== "";
  return (
    <Screen title={words.title} icon="check" tone="good" lede={needsPassphrase ? words.ledeWithPassphrase : words.lede}>
      {needsPassphrase ? <Steps link={view} passphrase={passphrase} /> : view}
      <ul class="facts">
        <Fact icon="opened" meaning={needsPassphrase ? words.withPassphrase : words.anyone(secret.max_claims)}>
          {words.opens(secret.max_claims)}
        </Fact>
        <Fact icon="waiting">{words.expires(formatWhen(secret.expires_at))}</Fact>
        <TicketFact ticket={secret.reference} />
      </ul>
      <Message
        text={describeLink(sent.link, { times: secret.max_claims, expiresAt: secret.expires_at, needsPassphrase })}
        onTaken={onTaken}
      />
    </Screen>
  );
}

/** The link and the passphrase as two steps, each to be sent in its own way. */
function Steps({ link, passphrase }: { readonly link: preact.ComponentChildren; readonly passphrase: string }) {
  return (
    <ol class="steps">
      <li>
        <h2>
          <span class="step-number" aria-hidden="true">
            1
          </span>
          {words.steps.link}
        </h2>
        <div class="step-body">{link}</div>
      </li>
      <li>
        <h2>
          <span class="step-number" aria-hidden="true">
            2
          </span>
          {words.steps.passphrase}
        </h2>
        <div class="step-body">
          <p class="quiet">{words.passphraseText}</p>
          <PassphraseLine passphrase={passphrase} />
        </div>
      </li>
    </ol>
  );
}

/** A short message with the link, ready to send. */
function Message({ text, onTaken }: { readonly text: string; readonly onTaken: () => void }) {
  return (
    <details class="options">
      <summary>
        <Icon name="text" />
        <span class="options-text">{words.message}</span>
        <span class="options-change shut-only">{words.showMessage}</span>
        <Icon name="chevron" class="chevron" />
      </summary>
      <div class="options-body">
        <p class="quote secret" translate={false} tabIndex={0} onCopy={onTaken}>
          {text}
        </p>
        <div class="buttons">
          <CopyButton text={text} label={words.copyMessage} onCopied={onTaken} />
        </div>
      </div>
    </details>
  );
}

/** The screen once the link opens nothing more. */
function OverScreen({ secret }: { readonly secret: Secret }) {
  const ended = formatPast(secret.ended_at ?? secret.expires_at);
  switch (secret.state) {
    case "available":
      return null;
    case "claimed":
      return <Screen title={words.claimedTitle} icon="opened" tone="good" lede={words.claimedText(ended)} />;
    case "expired":
      return <Screen title={words.expiredTitle} icon="expired" lede={words.expiredText(ended)} />;
    case "revoked":
      return <Screen title={words.revokedTitle} icon="revoked" lede={words.revokedText} />;
  }
}
