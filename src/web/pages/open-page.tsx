import { useRef, useState } from "preact/hooks";
import { ClientError } from "../../client/errors.ts";
import type { HttpClient } from "../../client/http-client.ts";
import { getSecret } from "../../client/secrets.ts";
import type { Progress } from "../../client/transfers.ts";
import type { Envelope } from "../../contract/envelopes.ts";
import type { Secret } from "../../contract/secrets.ts";
import type { Content } from "../../crypto/contents.ts";
import { deriveSecretLinkKeys, parseSecretLink } from "../../crypto/secret-links.ts";
import { forget, renewKey } from "../browser/fragments.ts";
import { takeLink } from "../browser/links.ts";
import { inWorker, startWorker } from "../browser/workers.ts";
import { ContentView } from "../parts/content-view.tsx";
import { describeFailure, describeOpening } from "../parts/failures.ts";
import type { Notice } from "../parts/failures.ts";
import { formatTime } from "../parts/formats.ts";
import { useLoading } from "../parts/loading.tsx";
import { Screen } from "../parts/screens.tsx";
import { claimLink } from "../service/claims.ts";
import { createLinkClient } from "../service/clients.ts";
import { STRINGS } from "../strings.ts";

const { open, ended } = STRINGS;

/** A link that could be read, and what it stands for. */
interface OpenLink {
  readonly client: HttpClient;
  readonly id: string;
  readonly agePassphrase: string;
  readonly needsPassphrase: boolean;
  readonly idempotencyKey: string;
}

type State =
  /** `envelope` is there when this tab has claimed the secret already. */
  | { readonly kind: "ready"; readonly link: OpenLink; readonly secret: Secret; readonly envelope?: Envelope }
  | { readonly kind: "opened"; readonly payload: Content };

/** `/s/{id}`: somebody got a link. Nothing is used up until they say so. */
export function OpenPage({ id }: { readonly id: string }) {
  const { state, screen, setState } = useLoading<State>(id, begin, describeOpening);
  if (!state) return screen;
  switch (state.kind) {
    case "ready":
      return (
        <ReadyScreen
          start={state}
          onOpened={(payload) => setState({ kind: "opened", payload })}
          onEnded={(notice) => setState(notice)}
        />
      );
    case "opened":
      return <ContentView payload={state.payload} />;
  }
}

/** Reads the link and asks what became of the secret. A claim that this tab has made before is repeated. */
async function begin(id: string): Promise<State | Notice> {
  const taken = takeLink(id, parseSecretLink);
  if (taken === undefined) return STRINGS.noLink;
  if (taken === "broken") return STRINGS.broken;
  const { link: share, kept } = taken;
  const { claimToken, agePassphrase } = await deriveSecretLinkKeys(share.seed);
  const client = createLinkClient(share.baseUrl, claimToken);
  const { needsPassphrase } = share;
  const link = { client, id, agePassphrase, needsPassphrase, idempotencyKey: kept.idempotencyKey };
  const secret = await getSecret(client, id);
  if (kept.until === null && secret.state === "available") return { kind: "ready", link, secret };
  try {
    // Also when the answer to the claim was lost, and only the server knows that it was made.
    const envelope = await claimLink(client, id, link.idempotencyKey);
    if (needsPassphrase) return { kind: "ready", link, secret, envelope };
    return { kind: "opened", payload: await decrypt(link, envelope, undefined) };
  } catch (error) {
    if (!(error instanceof ClientError) || error.kind !== "gone") throw error;
    if (secret.state === "available") {
      renewKey(id);
      return begin(id);
    }
    forget(id);
    return describeEnd(secret);
  }
}

function decrypt(link: OpenLink, envelope: Envelope, passphrase: string | undefined): Promise<Content> {
  return inWorker({ kind: "open", envelope, key: { kind: "link", agePassphrase: link.agePassphrase, passphrase } });
}

function ReadyScreen(props: {
  readonly start: Extract<State, { kind: "ready" }>;
  readonly onOpened: (payload: Content) => void;
  readonly onEnded: (notice: Notice) => void;
}) {
  const { link, secret } = props.start;
  // Once it is here, it is never asked for again: trying passphrases needs no server.
  const [envelope, setEnvelope] = useState(props.start.envelope);
  const [passphrase, setPassphrase] = useState("");
  const [isOpening, setOpening] = useState(false);
  const [percent, setPercent] = useState(100);
  const [complaint, setComplaint] = useState("");
  const field = useRef<HTMLInputElement>(null);

  const submit = async () => {
    if (isOpening) return;
    setOpening(true);
    setComplaint("");
    try {
      // Before anything is used up: what cannot be decrypted here should stay where it is.
      await startWorker();
      const onProgress: Progress = (_, bytes, total) => setPercent(Math.round((100 * bytes) / (total ?? bytes)));
      const held = envelope ?? (await claimLink(link.client, link.id, link.idempotencyKey, onProgress));
      setEnvelope(held);
      props.onOpened(await decrypt(link, held, link.needsPassphrase ? passphrase : undefined));
    } catch (error) {
      if (error instanceof ClientError && error.kind === "gone") return props.onEnded(await describeGone(link, error));
      const isWrong = error instanceof ClientError && error.code === "decryption_failed" && link.needsPassphrase;
      setComplaint(isWrong ? open.wrongPassphrase : describeOpening(error).text);
      setOpening(false);
      field.current?.focus();
    }
  };
  const left = secret.max_claims - secret.claims;
  return (
    <Screen title={open.title}>
      {envelope ? (
        <p>{open.taken}</p>
      ) : (
        <p>
          {left > 1 ? open.times(left) : open.once} {open.until(formatTime(secret.expires_at))}
        </p>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        {link.needsPassphrase && (
          <label>
            {open.passphrase}
            <input
              ref={field}
              type="password"
              autocomplete="off"
              required
              value={passphrase}
              aria-describedby="hint"
              onInput={(event) => setPassphrase(event.currentTarget.value)}
            />
            <small id="hint">{open.passphraseHint}</small>
          </label>
        )}
        <p role="alert" class="complaint">
          {complaint}
        </p>
        <button type="submit" aria-disabled={isOpening}>
          {isOpening ? open.opening(percent) : open.button}
        </button>
      </form>
      {!envelope && <p class="quiet">{open.notYet}</p>}
    </Screen>
  );
}

/** What became of a secret that could not be claimed. */
async function describeGone({ client, id }: OpenLink, error: ClientError): Promise<Notice> {
  const secret = await getSecret(client, id).catch(() => undefined);
  if (secret?.state === "available") {
    renewKey(id);
    return { title: STRINGS.failed.title, text: STRINGS.failed.other, canRetry: true };
  }
  forget(id);
  return secret ? describeEnd(secret) : describeFailure(error);
}

function describeEnd({ state, ended_at: at }: Secret): Notice {
  const when = at === null ? "" : formatTime(at);
  return state === "available" ? STRINGS.wrongServer : ended[state](when);
}
