import { useRef, useState } from "preact/hooks";
import { ClientError } from "../../client/errors.ts";
import type { HttpClient } from "../../client/http-client.ts";
import { getSecret } from "../../client/secrets.ts";
import type { Progress } from "../../client/transfers.ts";
import type { Envelope } from "../../contract/envelopes.ts";
import type { Secret } from "../../contract/secrets.ts";
import type { Content } from "../../crypto/contents.ts";
import { deriveSecretLinkKeys, parseSecretLink } from "../../crypto/secret-links.ts";
import {
  claimSentAt,
  dropEnvelope,
  forget,
  holdEnvelope,
  readEnvelope,
  renewKey,
  replayEndOf,
} from "../browser/fragments.ts";
import { takeLink } from "../browser/links.ts";
import { readPast, rememberPast } from "../browser/past-links.ts";
import { useUnsaved } from "../browser/unsaved.ts";
import { inWorker, prepareWorker, startWorker } from "../browser/workers.ts";
import { useLoading } from "../frame/loading.tsx";
import type { Notice } from "../frame/notices.ts";
import { Screen } from "../frame/screens.tsx";
import { ContentView } from "../parts/content-view.tsx";
import { describeFailure, describeFault, describeOpening } from "../parts/failures.ts";
import { formatTime } from "../parts/formats.ts";
import { TaskForm } from "../parts/task-form.tsx";
import { useTask } from "../parts/tasks.ts";
import { claimLink } from "../service/claims.ts";
import type { Claimed } from "../service/claims.ts";
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

/** A claim whose envelope is not decrypted yet. */
interface HeldClaim extends Claimed {
  /** True when it is still there when the page is loaded again. */
  readonly isKept: boolean;
}

type State =
  /** `claimed` is there when this tab has claimed the secret already. */
  | {
      readonly kind: "ready";
      readonly link: OpenLink;
      /** The secret; undefined when the envelope is there and nothing was asked. */
      readonly secret: Secret | undefined;
      readonly claimed?: HeldClaim;
    }
  | { readonly kind: "opened"; readonly content: Content; readonly note: string };

/** `/s/{id}`: somebody got a link. Nothing is used up until they say so. */
export function OpenPage({ id }: { readonly id: string }) {
  const { state, screen, setState } = useLoading<State>(id, begin, (error) =>
    withOutcome(describeOpening(error), claimSentAt(id)),
  );
  if (!state) return screen;
  switch (state.kind) {
    case "ready":
      return (
        <ReadyScreen
          start={state}
          onOpened={(content, left) => setState(toOpened(id, content, left))}
          onEnded={(notice) => setState(notice)}
        />
      );
    case "opened":
      return <ContentView content={state.content} note={state.note} />;
  }
}

/** Reads the link and asks what became of the secret. A claim that this tab has made before is repeated. */
async function begin(id: string): Promise<State | Notice> {
  const taken = takeLink(id, parseSecretLink);
  if (taken === undefined) return describeMissing(id);
  if (typeof taken === "string") return describeFault(taken);
  const { kept } = taken;
  const { seed, baseUrl, needsPassphrase } = taken.link;
  const { claimToken, agePassphrase } = await deriveSecretLinkKeys(seed);
  const client = createLinkClient(baseUrl, claimToken);
  const link = { client, id, agePassphrase, needsPassphrase, idempotencyKey: kept.idempotencyKey };
  prepareWorker();
  const envelope = await readEnvelope(kept);
  if (envelope) return show(link, undefined, { envelope, left: 0, isKept: true });
  const secret = await getSecret(client, id);
  if (kept.until === null && secret.state === "available") return { kind: "ready", link, secret };
  try {
    // Also when the answer to the claim was lost, and only the server knows that it was made.
    const claimed = await claimLink(client, id, link.idempotencyKey);
    return await show(link, secret, { ...claimed, isKept: false });
  } catch (error) {
    if (!(error instanceof ClientError) || error.kind !== "gone") throw error;
    if (secret.state === "available") {
      renewKey(id);
      return begin(id);
    }
    return describeEnd(id, secret, kept.until === null ? kept.sentAt : undefined);
  }
}

/** The state after a claim was repeated: what needs no passphrase is decrypted, also when the link says otherwise. */
async function show(link: OpenLink, secret: Secret | undefined, claimed: HeldClaim): Promise<State> {
  try {
    if (!link.needsPassphrase) return toOpened(link.id, await decrypt(link, claimed.envelope, undefined), claimed.left);
  } catch (error) {
    if (!isPassphraseMissing(error)) throw error;
  }
  const isKept = claimed.isKept || (await holdEnvelope(link.id, claimed.envelope));
  return { kind: "ready", link: { ...link, needsPassphrase: true }, secret, claimed: { ...claimed, isKept } };
}

function isPassphraseMissing(error: unknown): boolean {
  return error instanceof ClientError && error.code === "passphrase_missing";
}

/** The state after a secret was opened; nothing is held of it any more. */
function toOpened(id: string, content: Content, left: number): State {
  dropEnvelope(id);
  const past = readPast(id);
  if (past?.kind !== "opened") rememberPast(id, { kind: "opened", at: new Date().toISOString() });
  const until = replayEndOf(id);
  const again =
    until === null ? STRINGS.opened.keep : STRINGS.opened.keepInTab(formatTime(new Date(until).toISOString()));
  return { kind: "opened", content, note: left > 0 ? `${again} ${STRINGS.opened.left(left)}` : again };
}

/** The notice of an address without its fragment, of which this tab has nothing. */
function describeMissing(id: string): Notice {
  return describePast(id) ?? (readPast(id) ? STRINGS.forgotten : STRINGS.noKey);
}

/** The notice of a secret that this tab has opened, or asked for in vain; undefined when it has done neither. */
function describePast(id: string): Notice | undefined {
  const past = readPast(id);
  if (past?.kind === "opened") return ended.openedHere(formatTime(past.at));
  if (past?.kind === "lost") return ended.claimLost(formatTime(past.endedAt), formatTime(past.askedAt));
  return undefined;
}

/** Adds to what has failed whether anything may have come of it: only what has not been sent has surely done nothing. */
function withOutcome(notice: Notice, sentAt: number | undefined): Notice {
  const isOpen = notice.canRetry === true || notice.text === STRINGS.failed.stale;
  return isOpen ? { ...notice, text: `${notice.text} ${sentAt === undefined ? open.notYet : open.maybe}` } : notice;
}

function decrypt(link: OpenLink, envelope: Envelope, passphrase: string | undefined): Promise<Content> {
  return inWorker({ kind: "open", envelope, key: { kind: "link", agePassphrase: link.agePassphrase, passphrase } });
}

function ReadyScreen(props: {
  readonly start: Extract<State, { kind: "ready" }>;
  readonly onOpened: (content: Content, left: number) => void;
  readonly onEnded: (notice: Notice) => void;
}) {
  const { secret } = props.start;
  // A mistyped link does not say that it needs one.
  const [link, setLink] = useState(props.start.link);
  // Once it is here, it is never asked for again: trying passphrases needs no server.
  const [claimed, setClaimed] = useState(props.start.claimed);
  const [isSent, setSent] = useState(claimSentAt(link.id) !== undefined);
  const [passphrase, setPassphrase] = useState("");
  const task = useTask((error) => {
    const isWrong = error instanceof ClientError && error.code === "decryption_failed" && link.needsPassphrase;
    return isWrong ? open.wrongPassphrase : withOutcome(describeOpening(error), claimSentAt(link.id)).text;
  });
  const field = useRef<HTMLInputElement>(null);
  useUnsaved(claimed?.isKept === false, "secret");

  const claim = async (onProgress: Progress): Promise<Claimed> => {
    setSent(true);
    const fresh = await claimLink(link.client, link.id, link.idempotencyKey, onProgress);
    // Where the claim can be repeated, what needs no passphrase is held only when it turns out to need one.
    const isRepeatable = !link.needsPassphrase && replayEndOf(link.id) !== null;
    const isKept = isRepeatable || (await holdEnvelope(link.id, fresh.envelope));
    setClaimed({ ...fresh, isKept });
    return fresh;
  };
  const submit = () =>
    task.run(async (say) => {
      // Before it is sent again, or for the first time.
      const sentAt = claimSentAt(link.id);
      let held: Claimed | undefined = claimed;
      const sayPercent = (percent: number) => say(open.opening(percent));
      sayPercent(100);
      try {
        // Before anything is used up: what cannot be decrypted here should stay where it is.
        await startWorker();
        const onProgress: Progress = (_, bytes, total) => sayPercent(Math.round((100 * bytes) / (total ?? bytes)));
        held ??= await claim(onProgress);
        props.onOpened(await decrypt(link, held.envelope, link.needsPassphrase ? passphrase : undefined), held.left);
      } catch (error) {
        if (held && isPassphraseMissing(error)) {
          setClaimed({ ...held, isKept: await holdEnvelope(link.id, held.envelope) });
          setLink({ ...link, needsPassphrase: true });
          return open.passphraseMissing;
        }
        if (!(error instanceof ClientError && error.kind === "gone")) {
          field.current?.focus();
          throw error;
        }
        props.onEnded(await describeGone(link, error, sentAt));
      }
      return undefined;
    });
  return (
    <Screen title={open.title}>
      <p>{describeReady(link, { claimed, isSent, secret })}</p>
      {link.needsPassphrase && !claimed && <p>{open.stay}</p>}
      <TaskForm task={task} label={open.button} onSubmit={submit}>
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
      </TaskForm>
      {!claimed && !isSent && task.complaint === "" && <p class="quiet">{open.notYet}</p>}
    </Screen>
  );
}

/** The text above the button. */
function describeReady(
  { needsPassphrase }: OpenLink,
  now: { readonly claimed: HeldClaim | undefined; readonly isSent: boolean; readonly secret: Secret | undefined },
): string {
  const { claimed, isSent, secret } = now;
  if (claimed && needsPassphrase) return claimed.isKept ? open.taken : open.takenHere;
  if (isSent) return open.maybe;
  return secret ? describeTerms(secret) : "";
}

function describeTerms({ max_claims: most, claims, expires_at: expiresAt }: Secret): string {
  const left = most - claims;
  const times = most === 1 ? open.once : claims === 0 ? open.times(left) : open.moreTimes(left);
  return `${times} ${open.until(formatTime(expiresAt))}`;
}

/** The notice of what became of a secret that could not be claimed. */
async function describeGone({ client, id }: OpenLink, error: ClientError, sentAt: number | undefined): Promise<Notice> {
  const secret = await getSecret(client, id).catch(() => undefined);
  if (secret?.state === "available") {
    renewKey(id);
    return { title: STRINGS.failed.title, text: STRINGS.failed.other, canRetry: true };
  }
  return secret ? describeEnd(id, secret, sentAt) : describeFailure(error);
}

/**
 * The notice of a secret that can no longer be opened here; nothing is kept of its link. `sentAt` is when this tab asked
 * for it before, without an answer.
 */
function describeEnd(id: string, secret: Secret, sentAt: number | undefined): Notice {
  const { state, ended_at: at, claims } = secret;
  void forget(id);
  const isLost = state === "claimed" && at !== null && sentAt !== undefined;
  if (!readPast(id))
    rememberPast(
      id,
      isLost ? { kind: "lost", askedAt: new Date(sentAt).toISOString(), endedAt: at } : { kind: "over" },
    );
  const when = at === null ? "" : formatTime(at);
  switch (state) {
    case "available":
      return STRINGS.wrongLink;
    case "claimed":
      return describePast(id) ?? ended.claimed(when);
    case "expired":
      return ended.expired(when, claims);
    case "revoked":
      return ended.revoked(when);
  }
}
