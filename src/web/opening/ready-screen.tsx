import { useEffect, useRef, useState } from "preact/hooks";
import { ClientError } from "../../client/errors.ts";
import { findSecret } from "../../client/secrets.ts";
import type { Progress } from "../../client/transfers.ts";
import type { Secret } from "../../contract/secrets.ts";
import { claimSentAt, renewKey, replayEndOf } from "../browser/fragments.ts";
import type { MadeClaim } from "../browser/fragments.ts";
import { askOtherTabs } from "../browser/opened-here.ts";
import { useUnsaved } from "../browser/unsaved.ts";
import { initialsOf } from "../frame/account.ts";
import { useSlowServer } from "../frame/answering.ts";
import type { Notice } from "../frame/notices.ts";
import { Screen } from "../frame/screens.tsx";
import { Complaint } from "../parts/complaint.tsx";
import { describeFailure } from "../parts/failures.ts";
import { Form } from "../parts/form.tsx";
import { describeOpening } from "../parts/opening-failures.ts";
import { nameOfPerson, WhoLine } from "../parts/person-card.tsx";
import { useTask } from "../parts/tasks.ts";
import { Warning } from "../parts/warning.tsx";
import { isProofRequired, useProving } from "../proving/proofs.ts";
import type { HeldProof } from "../proving/proofs.ts";
import { ProveFirst } from "../proving/prove-first.tsx";
import type { Claimed } from "../service/claims.ts";
import { OPENING } from "../texts/opening.ts";
import { PAGE } from "../texts/page.ts";
import { useTimeLeft } from "../viewing/time-left.tsx";
import { findKeptAsk, forgetAsk, isApprovalRequired } from "./approvals.ts";
import { AskFirst } from "./ask-first.tsx";
import type { Approved } from "./ask-props.ts";
import { complainOf, describeEnd } from "./endings.tsx";
import { Facts } from "./facts.tsx";
import { claim, isPassphraseMissing } from "./links.ts";
import type { HeldClaim, OpeningWay, OpenLink } from "./links.ts";
import { PassphraseField } from "./passphrase-field.tsx";

const { open } = OPENING;

/** The outcome of the claims sent so far: none were sent, all were refused, or one may have succeeded. */
type ClaimOutcome = "none" | "refused" | "unsure";

/** The screen before a secret is opened, and while it needs its passphrase. */
export function ReadyScreen<Taken, Opened>(props: {
  readonly start: {
    readonly link: OpenLink;
    readonly secret: Secret | undefined;
    readonly claimed?: HeldClaim<Taken>;
  };
  readonly way: OpeningWay<Taken, Opened>;
  readonly onOpened: (opened: Opened) => void;
  /** Called when another tab of this browser has claimed the secret, and can repeat the claim. */
  readonly onElsewhere: (claim: MadeClaim) => void;
  /** Called with the end of the secret, or a failure that trying again here doesn't change. */
  readonly onEnded: (end: Notice) => void;
}) {
  const { way } = props;
  const { secret } = props.start;
  // A mistyped link does not say that it needs a passphrase.
  const [link, setLink] = useState(props.start.link);
  // An envelope is claimed only once: trying passphrases needs no server.
  const [claimed, setClaimed] = useState(props.start.claimed);
  // Not before the passphrase was tried: it may be the right one.
  const [isStillLocked, setStillLocked] = useState(props.start.claimed !== undefined);
  const [claimOutcome, setClaimOutcome] = useState<ClaimOutcome>(() => claimOutcomeOf(link.id));
  const [passphrase, setPassphrase] = useState("");
  const [fault, setFault] = useState("");
  const complain = (error: unknown) => way.describe?.(error)?.text ?? complainOf(link.id, describeOpening(error));
  const task = useTask(complain);
  const field = useRef<HTMLInputElement>(null);
  const addressees = claimed ? null : (secret?.for ?? null);
  // A claim that may have succeeded is repeated first, which needs no proof.
  const isFirst = claimOutcomeOf(link.id) === "none";
  // Nor does an ask for approval that this tab has made.
  const isUnproven = addressees !== null && isFirst && findKeptAsk(link.id) === undefined;
  const proving = useProving(isUnproven, useRef<HeldProof | undefined>(undefined));
  // Null once it is over.
  const [approval, setApproval] = useState<Approved | null | undefined>(undefined);
  const needsApproval = !claimed && isFirst && secret !== undefined && secret.approval !== null && !approval;
  const isSlow = useSlowServer();
  useUnsaved(claimed?.isKept === false, "secret");
  // Counts down every second, so that the expiry on the screen stays correct.
  const isOver = useTimeLeft(secret ? Date.parse(secret.expires_at) : null) === 0;
  /** Asks the server first, because this machine's clock may be fast. */
  const endIfExpired = async () => {
    const now = await findSecret(link.client, link.id);
    if (now?.state === "expired") props.onEnded(describeEnd(link.id, now, claimSentAt(link.id)));
  };
  useEffect(() => {
    if (isOver && secret && !claimed) void endIfExpired();
  }, [isOver]);
  useEffect(() => {
    if (proving.proof && !proving.isNeeded) field.current?.focus();
  }, [proving.isNeeded]);
  useEffect(() => {
    if (approval && !link.needsPassphrase) return approval.keepOpening(submit);
    if (approval) field.current?.focus();
    return undefined;
  }, [approval]);

  useEffect(() => {
    if (way.isBegun && !link.needsPassphrase) void submit();
  }, []);

  const claimFirst = async (onProgress: Progress): Promise<Claimed<Taken>> => {
    const onSetback = (isInDoubt: boolean) => setClaimOutcome(isInDoubt ? "unsure" : "refused");
    const proofToken = approval ? undefined : await proving.getToken();
    const fresh = await claim(link, way.claimLink, { proofToken, onProgress, onSetback });
    // A claim that can be repeated needs no kept envelope, unless the envelope turns out to need a passphrase.
    const isRepeatable = !link.needsPassphrase && replayEndOf(link.id) !== null;
    const isKept = isRepeatable || (await way.hold(link.id, fresh.envelope));
    setClaimed({ ...fresh, isKept });
    return fresh;
  };
  const explain = async (error: unknown, held: Omit<HeldClaim<Taken>, "isKept"> | undefined) => {
    // An approval stands for the proof, so that either may be what is missing once it is over.
    if (isApprovalRequired(error) || (approval && isProofRequired(error))) {
      forgetAsk(link.id);
      setApproval(null);
      return undefined;
    }
    if (proving.refuse(error)) return undefined;
    if (held && isPassphraseMissing(error)) {
      setClaimed({ ...held, isKept: await way.hold(link.id, held.envelope) });
      setLink({ ...link, needsPassphrase: true });
      return open.passphraseMissing;
    }
    if (error instanceof ClientError && error.kind === "gone") {
      // Runs before the warning: in browsers without locks another tab may have claimed at the same moment.
      const elsewhere = await askOtherTabs(link.id);
      const outcome = elsewhere ?? (await describeGone(link, error));
      if ("idempotencyKey" in outcome) props.onElsewhere(outcome);
      else props.onEnded(outcome);
      return undefined;
    }
    if (!(error instanceof ClientError && error.kind === "decryption")) throw error;
    if (error.code === "decryption_failed" && link.needsPassphrase) {
      setFault(open.wrongPassphrase);
      field.current?.focus();
      return undefined;
    }
    // Decrypting the same envelope again would give the same result.
    props.onEnded(way.describe?.(error) ?? describeOpening(error));
    return undefined;
  };
  const submit = () =>
    task.run(async (say) => {
      let held: Omit<HeldClaim<Taken>, "isKept"> | undefined = claimed;
      const sayPercent = (percent: number) => say(open.opening(percent));
      sayPercent(100);
      setFault("");
      setClaimOutcome(claimOutcomeOf(link.id));
      try {
        // Runs before the claim, so that a browser without a worker uses up nothing.
        await way.prepare();
        const onProgress: Progress = (_, bytes, total) => sayPercent(Math.round((100 * bytes) / (total ?? bytes)));
        held ??= await claimFirst(onProgress);
        const typed = link.needsPassphrase ? passphrase : undefined;
        props.onOpened(await way.open(link, held, { passphrase: typed, secret, onPercent: sayPercent }));
        return undefined;
      } catch (error) {
        setClaimOutcome(claimOutcomeOf(link.id));
        if (held) setStillLocked(true);
        return explain(error, held);
      }
    });
  if (needsApproval && !proving.isNeeded && way.obstacle === undefined) {
    return (
      <AskFirst
        link={link}
        secret={secret}
        isOver={approval === null}
        getProofToken={proving.getToken}
        complain={complain}
        onError={(error) => explain(error, undefined)}
        onApproved={setApproval}
      />
    );
  }
  const sender = secret?.sender ?? null;
  // Claimed before this page was loaded, with an answer.
  const isBegun = way.isBegun === true && replayEndOf(link.id) !== null;
  const isHere = link.needsPassphrase && (claimed ? isStillLocked : isBegun);
  const isUnsure = claimOutcome === "unsure";
  // True when nothing else is asked for.
  const isReady = !link.needsPassphrase && !needsApproval;
  const word = isHere
    ? (way.lockedWords ?? (claimed?.isKept ? open.taken : open.takenHere))
    : claimed || isBegun
      ? ""
      : describeClaimOutcome(claimOutcome, { isBusy: task.progress !== "", isSlow });
  return (
    <Screen
      title={isHere ? open.titleHere : sender ? open.titleBy(nameOfPerson(sender)) : open.title}
      icon={link.needsPassphrase ? "lock" : "sealed"}
      initials={sender ? initialsOf(nameOfPerson(sender)) : undefined}
      envelope="closed"
      width="narrow"
      lede={sender && <WhoLine person={sender} />}
    >
      {word && <Warning role="status">{word}</Warning>}
      {!isHere && !isUnsure && !isBegun && secret && <Facts secret={secret} link={link} />}
      {approval && !claimed && <p role="status">{approval.text}</p>}
      <div class="stack-m">
        {way.obstacle !== undefined ? (
          <Warning role="status">{way.obstacle}</Warning>
        ) : addressees && proving.isNeeded ? (
          <ProveFirst
            client={link.client}
            subject={{ kind: "secret", id: link.id }}
            addressees={addressees}
            refused={proving.proof}
            openLabel={isReady ? open.button : undefined}
            needsApproval={needsApproval}
            onProven={(proof) => {
              proving.accept(proof);
              if (isReady) void submit();
            }}
          />
        ) : (
          <Form
            class="stack-m"
            onSubmit={() => {
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
            <button type="submit" class="button primary" aria-disabled={task.progress !== ""}>
              <span aria-live="polite">{task.progress || open.button}</span>
            </button>
            {task.progress !== "" && way.Progress && <way.Progress />}
          </Form>
        )}
        {!claimed && !isUnsure && !link.needsPassphrase && (
          <p class="hint">{sender ? open.beWaryOf(nameOfPerson(sender)) : open.beWary}</p>
        )}
      </div>
    </Screen>
  );
}

/** Explains a refused claim: the end of the secret, or a failure that may pass. */
async function describeGone({ client, id }: OpenLink, error: ClientError): Promise<Notice> {
  const secret = await findSecret(client, id);
  if (!secret) return describeFailure(error);
  if (secret.state !== "available") return describeEnd(id, secret, claimSentAt(id));
  renewKey(id);
  return { title: PAGE.failed.title, text: PAGE.failed.other, canRetry: true };
}

function claimOutcomeOf(id: string): ClaimOutcome {
  return claimSentAt(id) === undefined ? "none" : "unsure";
}

/**
 * Returns the text about earlier claims. Once the button is active again, the complaint beside it describes the last
 * one.
 */
function describeClaimOutcome(
  claimOutcome: ClaimOutcome,
  { isBusy, isSlow }: { readonly isBusy: boolean; readonly isSlow: boolean },
): string {
  if (claimOutcome === "unsure") return isBusy ? open.maybeTrying : open.maybe;
  if (!isBusy) return "";
  if (claimOutcome === "refused") return open.refusedTrying;
  return isSlow ? PAGE.slow : "";
}
