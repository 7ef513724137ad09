import { useState } from "preact/hooks";
import { ClientError } from "../client/errors.ts";
import type { Progress } from "../client/transfers.ts";
import { createHttpClient, type HttpClient } from "../client/http-client.ts";
import { claimSecret, getSecret } from "../client/secrets.ts";
import type { Envelope } from "../contract/envelopes.ts";
import type { Secret } from "../contract/secrets.ts";
import { LinkError } from "../crypto/links.ts";
import type { Payload } from "../crypto/payloads.ts";
import { deriveShareKeys, parseShareLink } from "../crypto/share-links.ts";
import { describeFailure, type Notice } from "./failures.ts";
import { formatTime } from "./formats.ts";
import { forget, keepUntil, takeFragment } from "./fragments.ts";
import { useLoading } from "./loading.ts";
import { PayloadView } from "./payload-view.tsx";
import { Loading, NoticeScreen, Screen } from "./screens.tsx";
import { STRINGS } from "./strings.ts";
import { inWorker } from "./workers.ts";

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
  | { readonly kind: "notice"; readonly notice: Notice }
  | { readonly kind: "ready"; readonly link: OpenLink; readonly secret: Secret }
  | { readonly kind: "opened"; readonly payload: Payload };

/** `/s/{id}`: somebody got a link. Nothing is used up until they say so. */
export function OpenPage({ id }: { readonly id: string }) {
  const fail = (error: unknown): State => ({ kind: "notice", notice: describeFailure(error) });
  const { state, setState, reload } = useLoading<State>(id, begin, fail);
  switch (state?.kind) {
    case undefined:
      return <Loading />;
    case "notice":
      return <NoticeScreen notice={state.notice} onRetry={reload} />;
    case "ready":
      return (
        <ReadyScreen
          link={state.link}
          secret={state.secret}
          onOpened={(payload) => setState({ kind: "opened", payload })}
          onEnded={(notice) => setState({ kind: "notice", notice })}
        />
      );
    case "opened":
      return <PayloadView payload={state.payload} />;
  }
}

/** Reads the link and asks what became of the secret. A claim that this tab has made before is repeated by opening. */
async function begin(id: string): Promise<State> {
  const kept = takeFragment(id);
  if (!kept) return { kind: "notice", notice: STRINGS.broken };
  const link = await readLink(id, kept.fragment, kept.idempotencyKey);
  if (!link) return { kind: "notice", notice: STRINGS.broken };
  const secret = await getSecret(link.client, id);
  if (secret.state === "available") return { kind: "ready", link, secret };
  if (secret.state === "claimed" && !link.needsPassphrase) {
    const again = await openSecret(link, undefined).catch(() => undefined);
    if (again) return { kind: "opened", payload: again };
  }
  if (secret.state === "claimed" && link.needsPassphrase && (await canRepeat(link))) {
    return { kind: "ready", link, secret };
  }
  return { kind: "notice", notice: describeEnd(secret) };
}

async function readLink(id: string, fragment: string, idempotencyKey: string): Promise<OpenLink | undefined> {
  try {
    const { baseUrl, seed, needsPassphrase } = parseShareLink(`${location.origin}${location.pathname}#${fragment}`);
    const { claimToken, agePassphrase } = await deriveShareKeys(seed);
    const client = createHttpClient({ baseUrl, credential: claimToken });
    return { client, id, agePassphrase, needsPassphrase, idempotencyKey };
  } catch (error) {
    if (!(error instanceof LinkError)) throw error;
    forget(id);
    return undefined;
  }
}

async function canRepeat(link: OpenLink): Promise<boolean> {
  return claim(link).then(
    () => true,
    () => false,
  );
}

/** Claims, or repeats the claim, and notes how long it can be repeated. */
async function claim({ client, id, idempotencyKey }: OpenLink, onProgress?: Progress): Promise<Envelope> {
  const { envelope, replayUntil } = await claimSecret(client, id, idempotencyKey, onProgress);
  keepUntil(id, replayUntil);
  return envelope;
}

async function openSecret(link: OpenLink, passphrase: string | undefined, onProgress?: Progress): Promise<Payload> {
  const envelope = await claim(link, onProgress);
  const key = { kind: "link", agePassphrase: link.agePassphrase, passphrase } as const;
  return inWorker({ kind: "open", envelope, key });
}

function ReadyScreen(props: {
  readonly link: OpenLink;
  readonly secret: Secret;
  readonly onOpened: (payload: Payload) => void;
  readonly onEnded: (notice: Notice) => void;
}) {
  const { link, secret } = props;
  const [passphrase, setPassphrase] = useState("");
  const [isOpening, setOpening] = useState(false);
  const [percent, setPercent] = useState(100);
  const [complaint, setComplaint] = useState("");

  const submit = async () => {
    setOpening(true);
    setComplaint("");
    try {
      const onProgress: Progress = (_, bytes, total) => setPercent(Math.round((100 * bytes) / (total ?? bytes)));
      props.onOpened(await openSecret(link, link.needsPassphrase ? passphrase : undefined, onProgress));
    } catch (error) {
      const code = error instanceof ClientError ? error.code : "";
      if (code === "decryption_failed" && link.needsPassphrase) setComplaint(open.wrongPassphrase);
      else if (code === "decryption_failed") setComplaint(STRINGS.opened.undecryptable);
      else if (code === "unsafe_archive") setComplaint(STRINGS.opened.unsafe);
      else if (error instanceof ClientError && error.kind === "gone") {
        props.onEnded(describeEnd(await getSecret(link.client, link.id).catch(() => secret)));
      } else setComplaint(describeFailure(error).text);
      setOpening(false);
    }
  };
  const left = secret.max_claims - secret.claims;
  return (
    <Screen title={open.title}>
      <p>
        {left > 1 ? open.times(left) : open.once} {open.until(formatTime(secret.expires_at))}
      </p>
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
        <button type="submit" disabled={isOpening}>
          {isOpening ? open.opening(percent) : open.button}
        </button>
      </form>
      <p class="quiet">{open.notYet}</p>
    </Screen>
  );
}

function describeEnd({ state, ended_at: at }: Secret): Notice {
  const when = at === null ? "" : formatTime(at);
  return state === "available" ? STRINGS.wrongServer : ended[state](when);
}
