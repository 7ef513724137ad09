import { useEffect, useRef, useState } from "preact/hooks";
import { ClientError } from "../../client/errors.ts";
import { getSecret } from "../../client/secrets.ts";
import type { Progress } from "../../client/transfers.ts";
import type { Secret } from "../../contract/secrets.ts";
import { claimSentAt, holdEnvelope, renewKey, replayEndOf } from "../browser/fragments.ts";
import type { MadeClaim } from "../browser/fragments.ts";
import { askOtherTabs } from "../browser/opened-here.ts";
import { useUnsaved } from "../browser/unsaved.ts";
import { startWorker } from "../browser/workers.ts";
import { useSlowServer } from "../frame/answering.ts";
import { Icon } from "../frame/icon.tsx";
import type { Notice } from "../frame/notices.ts";
import { Screen } from "../frame/screens.tsx";
import { Complaint } from "../parts/complaint.tsx";
import { describeFailure, describeOpening } from "../parts/failures.ts";
import { PersonCard } from "../parts/person-card.tsx";
import { useTask } from "../parts/tasks.ts";
import type { Claimed } from "../service/claims.ts";
import { STRINGS } from "../strings.ts";
import type { OpenedSecret } from "../viewing/opened-screen.tsx";
import { useTimeLeft } from "../viewing/time-left.tsx";
import { complainOf, describeEnd } from "./endings.tsx";
import type { SecretEnd } from "./endings.tsx";
import { Facts } from "./facts.tsx";
import { claim, decrypt, decryptTyped, describeOpened, isPassphraseMissing } from "./links.ts";
import type { HeldClaim, OpenLink } from "./links.ts";
import { PassphraseField } from "./passphrase-field.tsx";

const { open } = STRINGS;

/** The standing of the claims that were sent: nothing is to be said, or nothing was handed out, or one may have handed out the secret. */
type Standing = "none" | "refused" | "unsure";

/** The screen before a secret is opened, and while it wants its passphrase. */
export function ReadyScreen(props: {
  readonly start: {
    readonly link: OpenLink;
    readonly secret: Secret | undefined;
    readonly claimed?: HeldClaim;
  };
  readonly onOpened: (secret: OpenedSecret) => void;
  readonly onEnded: (end: SecretEnd) => void;
  /** Another tab of this browser has claimed it, and can repeat that. */
  readonly onElsewhere: (claim: MadeClaim) => void;
  readonly onFailed: (notice: Notice) => void;
}) {
  const { secret } = props.start;
  // A mistyped link does not say that it needs one.
  const [link, setLink] = useState(props.start.link);
  // Once it is here, it is never asked for again: trying passphrases needs no server.
  const [claimed, setClaimed] = useState(props.start.claimed);
  const [standing, setStanding] = useState<Standing>(() => standingOf(link.id));
  const [passphrase, setPassphrase] = useState("");
  const [fault, setFault] = useState("");
  const task = useTask((error) => complainOf(link.id, describeOpening(error)));
  const field = useRef<HTMLInputElement>(null);
  const isSlow = useSlowServer();
  useUnsaved(claimed?.isKept === false, "secret");
  // Every second, so that what is said of its end stays true.
  const isOver = useTimeLeft(secret ? Date.parse(secret.expires_at) : null) === 0;
  /** Asks first: the clock here may be fast. */
  const endIfExpired = async () => {
    const now = await askState(link);
    if (now?.state === "expired") props.onEnded(describeEnd(link.id, now, claimSentAt(link.id)));
  };
  useEffect(() => {
    if (isOver && secret && !claimed) void endIfExpired();
  }, [isOver]);

  const claimFirst = async (onProgress: Progress): Promise<Claimed> => {
    const onSetback = (isInDoubt: boolean) => setStanding(isInDoubt ? "unsure" : "refused");
    const fresh = await claim(link, { onProgress, onSetback });
    // Where the claim can be repeated, what needs no passphrase is held only when it turns out to need one.
    const isRepeatable = !link.needsPassphrase && replayEndOf(link.id) !== null;
    const isKept = isRepeatable || (await holdEnvelope(link.id, fresh.envelope));
    setClaimed({ ...fresh, isKept });
    return fresh;
  };
  const explain = async (error: unknown, held: Omit<HeldClaim, "isKept"> | undefined) => {
    if (held && isPassphraseMissing(error)) {
      setClaimed({ ...held, isKept: await holdEnvelope(link.id, held.envelope) });
      setLink({ ...link, needsPassphrase: true });
      return open.passphraseMissing;
    }
    if (error instanceof ClientError && error.kind === "gone") {
      // Before the alarm: where tabs have no turns, another one may have claimed it in the same instant.
      const elsewhere = await askOtherTabs(link.id);
      const outcome = elsewhere ?? (await describeGone(link, error));
      if ("idempotencyKey" in outcome) props.onElsewhere(outcome);
      else if (outcome.end) props.onEnded(outcome.end);
      else props.onFailed(outcome.notice);
      return undefined;
    }
    if (!(error instanceof ClientError && error.kind === "decryption")) throw error;
    if (error.code === "decryption_failed" && link.needsPassphrase) {
      setFault(open.wrongPassphrase);
      field.current?.focus();
      return undefined;
    }
    // It is here, and comes out the same however often it is tried.
    props.onFailed(describeOpening(error));
    return undefined;
  };
  const submit = () =>
    task.run(async (say) => {
      let held: Omit<HeldClaim, "isKept"> | undefined = claimed;
      const sayPercent = (percent: number) => say(open.opening(percent));
      sayPercent(100);
      setFault("");
      setStanding(standingOf(link.id));
      try {
        // Before anything is used up: what cannot be decrypted here should stay where it is.
        await startWorker();
        const onProgress: Progress = (_, bytes, total) => sayPercent(Math.round((100 * bytes) / (total ?? bytes)));
        held ??= await claimFirst(onProgress);
        const content = await (link.needsPassphrase
          ? decryptTyped(link, held.envelope, passphrase)
          : decrypt(link, held.envelope, undefined));
        props.onOpened(describeOpened(link, { content, secret, left: held.left }));
        return undefined;
      } catch (error) {
        setStanding(standingOf(link.id));
        return explain(error, held);
      }
    });
  const sender = secret?.sender ?? null;
  const isHere = claimed !== undefined && link.needsPassphrase;
  const isUnsure = standing === "unsure";
  const word = isHere
    ? claimed.isKept
      ? open.taken
      : open.takenHere
    : describeStanding(standing, { isBusy: task.progress !== "", isSlow });
  return (
    <Screen
      title={sender ? open.titleBySender : open.title}
      icon={link.needsPassphrase ? "lock" : "sealed"}
      tone="good"
    >
      {sender && <PersonCard person={sender} />}
      {word && (
        <div class="notice warn" role="status">
          <Icon name="warning" />
          <p>{word}</p>
        </div>
      )}
      {!isHere && !isUnsure && secret && <Facts secret={secret} link={link} />}
      <form
        class="stack-m"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (link.needsPassphrase && passphrase === "") {
            setFault(open.emptyPassphrase);
            field.current?.focus();
          } else void submit();
        }}
      >
        {link.needsPassphrase && (
          <PassphraseField
            field={field}
            value={passphrase}
            complaint={fault}
            onInput={(typed) => {
              setPassphrase(typed);
              setFault("");
            }}
          />
        )}
        <Complaint text={task.complaint} />
        <button type="submit" class="button primary wide" aria-disabled={task.progress !== ""}>
          <span aria-live="polite">{task.progress || open.button}</span>
        </button>
        {!isHere && !isUnsure && (
          <p class="hint">{sender ? open.beWaryOf(sender.name ?? sender.address) : open.beWary}</p>
        )}
      </form>
    </Screen>
  );
}

/** The fate of a secret that could not be claimed: its end, or a failure that may pass. */
async function describeGone(
  { client, id }: OpenLink,
  error: ClientError,
): Promise<{ readonly end: SecretEnd } | { readonly end?: undefined; readonly notice: Notice }> {
  const secret = await askState({ client, id });
  if (!secret) return { notice: describeFailure(error) };
  if (secret.state !== "available") return { end: describeEnd(id, secret, claimSentAt(id)) };
  renewKey(id);
  return { notice: { title: STRINGS.failed.title, text: STRINGS.failed.other, canRetry: true } };
}

/** The secret as it is now; undefined when that could not be asked. */
async function askState({ client, id }: Pick<OpenLink, "client" | "id">): Promise<Secret | undefined> {
  return getSecret(client, id).catch(() => undefined);
}

function standingOf(id: string): Standing {
  return claimSentAt(id) === undefined ? "none" : "unsure";
}

/** The word on the claims that were sent, if any; once there is a button again, what became of the last one is said beside it. */
function describeStanding(
  standing: Standing,
  { isBusy, isSlow }: { readonly isBusy: boolean; readonly isSlow: boolean },
): string {
  if (standing === "unsure") return isBusy ? open.maybeTrying : open.maybe;
  if (!isBusy) return "";
  if (standing === "refused") return open.refusedTrying;
  return isSlow ? STRINGS.slow : "";
}
