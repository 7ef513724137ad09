import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { getCredential } from "../../client/credentials.ts";
import type { HttpClient } from "../../client/http-client.ts";
import { submitEnvelope } from "../../client/requests.ts";
import type { VerifiedInvitation } from "../../client/requests.ts";
import type { CredentialLimits } from "../../contract/credentials.ts";
import type { Envelope } from "../../contract/envelopes.ts";
import type { Person } from "../../contract/persons.ts";
import type { RequestLink } from "../../crypto/request-links.ts";
import { useUnsaved } from "../browser/unsaved.ts";
import { createUploadFetch } from "../browser/uploads.ts";
import { inWorker } from "../browser/workers.ts";
import { Composer } from "../composing/composer.tsx";
import { useDelivery } from "../composing/deliveries.ts";
import type { Deliverer } from "../composing/deliveries.ts";
import { DeliveryScreen } from "../composing/delivery-screen.tsx";
import {
  complaintAbout,
  complaintAboutNothing,
  describeTooLarge,
  isEmpty,
  isLarge,
  isSurelyTooLarge,
  mostCiphertextOf,
  NO_CONTENT,
} from "../composing/drafts.ts";
import { readContent } from "../composing/readings.ts";
import { SubmitRow, useCheckedForm } from "../composing/submit-row.tsx";
import { Screen } from "../frame/screens.tsx";
import { describeFailure } from "../parts/failures.ts";
import { Form } from "../parts/form.tsx";
import { formatDay } from "../parts/formats.ts";
import { loadPart } from "../parts/loaded-parts.ts";
import { WhoLine } from "../parts/person-card.tsx";
import { useOnce } from "../parts/tasks.ts";
import { isProofRequired, useProving } from "../proving/proofs.ts";
import type { HeldProof } from "../proving/proofs.ts";
import { ProveFirst } from "../proving/prove-first.tsx";
import type { Transmission } from "../service/link-clients.ts";
import { SUBMITTING } from "../texts/submitting.ts";
import type { FormOnPage, FormValues } from "./form-fields.tsx";
import type * as LargeSubmitting from "./large-part.tsx";
import type { HandInJob } from "./large-part.tsx";
import { LateScreen } from "./late-screen.tsx";
import type { LateEnd } from "./late-screen.tsx";
import { describeRefusal, describeUnsent, isRefusal } from "./refusals.ts";
import type { SentEnvelope } from "./refusals.ts";

const { submit, delivery: words } = SUBMITTING;

/** A request as shown to the person who was asked. */
export interface AskedHere {
  readonly link: RequestLink;
  readonly submitToken: string;
  /** The number of secrets handed in here before. */
  readonly round: number;
  /** Creates a client with the token of the link. */
  readonly connect: (options?: Transmission) => HttpClient;
  readonly invitation: VerifiedInvitation;
  readonly note: string | undefined;
  /** The form that is asked for; undefined for free text and files. */
  readonly form: FormOnPage | undefined;
}

type LargePart = typeof LargeSubmitting;

interface Canceled {
  readonly before: string;
  after: string | (() => Promise<string>);
}

/** A secret that was handed in. */
export interface HandedIn {
  readonly secretId: string;
  /** True when an earlier envelope was sent whose arrival is unknown. */
  readonly hadEarlier: boolean;
}

/** The form to hand in a secret, with the person who asks and their note. */
export function HandInScreen(props: {
  readonly asked: AskedHere;
  /** Keeps the proof of an address, where only chosen people may hand in. */
  readonly proof: RefObject<HeldProof | undefined>;
  readonly onDone: (handedIn: HandedIn) => void;
}) {
  const { asked, onDone } = props;
  const { connect, invitation, link, form: formOnPage } = asked;
  const { addressees } = invitation;
  const [content, setContent] = useState(NO_CONTENT);
  const [values, setValues] = useState<FormValues>({});
  const [complaints, setComplaints] = useState<FormValues>({});
  const [emptiness, setEmptiness] = useState("");
  const [end, setEnd] = useState<LateEnd | undefined>(undefined);
  const [limits, setLimits] = useState<CredentialLimits | undefined>(undefined);
  const [large, setLarge] = useState<{ readonly part: LargePart; readonly job: HandInJob } | undefined>(undefined);
  const { form, showWrong } = useCheckedForm();
  const sealOnce = useOnce<Envelope>();
  /** The envelopes sent without an answer, which may have arrived. */
  const unanswered = useRef<readonly SentEnvelope[]>([]);
  /** What is on its way in pieces says by itself what became of it. */
  const canceled = useRef<Canceled>({ before: words.canceledBefore, after: submit.canceled }).current;
  const delivery = useDelivery({ describe: (error) => describeFailure(error).text, canceled });
  const proving = useProving(addressees !== null, props.proof);
  useUnsaved(!isEmpty(content) && !end, "typed");
  useEffect(() => {
    if (proving.proof && !proving.isNeeded) form.current?.querySelector<HTMLElement>("textarea, input")?.focus();
  }, [proving.isNeeded]);
  const readLimits = async () => {
    const { limits: read } = await getCredential(connect());
    setLimits(read);
    return read;
  };
  useEffect(() => void readLimits().catch(() => undefined), []);
  // A filled-in form has one envelope.
  const mostOf = (read: CredentialLimits) => (formOnPage ? read.max_ciphertext_bytes : mostCiphertextOf(read));

  const handInLarge = async (deliverer: Deliverer, read: CredentialLimits): Promise<string | undefined> => {
    if (mostOf(read) <= read.max_ciphertext_bytes) return describeTooLarge(content, read.max_ciphertext_bytes);
    const part = await loadPart(() => import("./large-part.tsx"));
    const proofToken = await deliverer.waitFor(proving.getToken());
    deliverer.signal.throwIfAborted();
    const { baseUrl, id: requestId } = link;
    const to = { requestId, recipient: invitation.recipient, submitToken: asked.submitToken, proofToken, limits: read };
    try {
      const handedIn = await part.handInLarge(baseUrl, content, to, deliverer, (job) => {
        canceled.after = () => part.describeCanceled(job);
        setLarge({ part, job });
      });
      if (typeof handedIn === "string") return handedIn;
      deliverer.endSending();
      onDone({ secretId: handedIn.secret_id, hadEarlier: unanswered.current.length > 0 });
      return undefined;
    } finally {
      setLarge(undefined);
    }
  };
  const handIn = async (deliverer: Deliverer): Promise<string | undefined> => {
    const { signal, waitFor, beginSending, onUpload } = deliverer;
    const problems = formOnPage?.findProblems(values) ?? {};
    setComplaints(problems);
    const nothing = formOnPage ? undefined : complaintAboutNothing(content);
    setEmptiness(nothing ?? "");
    if (nothing !== undefined || Object.keys(problems).length > 0) return showWrong();
    const read = limits ?? (await waitFor(readLimits()));
    const { max_ciphertext_bytes: limit } = read;
    const excess = complaintAbout(content, mostOf(read));
    // The composer shows its own complaint.
    if (excess !== undefined) return formOnPage ? excess : showWrong();
    canceled.after = submit.canceled;
    if (isSurelyTooLarge(content, limit)) return handInLarge(deliverer, read);
    const { value: envelope, idempotencyKey } = await sealOnce([content], async () =>
      inWorker({ kind: "seal", content: await readContent(content), recipient: invitation.recipient }, signal),
    );
    // Near the limit, only encrypting it shows whether it fits.
    if (envelope.ciphertext.length > limit) return handInLarge(deliverer, read);
    const proofToken = await waitFor(proving.getToken());
    beginSending();
    const earlier = unanswered.current.filter((each) => each.idempotencyKey !== idempotencyKey);
    try {
      const client = connect({ signal, fetch: createUploadFetch(onUpload) });
      const { secret_id: secretId } = await submitEnvelope(client, link.id, envelope, { idempotencyKey, proofToken });
      onDone({ secretId, hadEarlier: earlier.length > 0 });
      return undefined;
    } catch (error) {
      unanswered.current =
        isRefusal(error) || isProofRequired(error) ? earlier : [...earlier, { envelope, idempotencyKey }];
      throw error;
    }
  };
  /**
   * Returns the complaint about a refusal that may pass, and shows the end for any other refusal. Asks for a proof if
   * one is needed. Rethrows other errors.
   */
  const refuse = async (error: unknown): Promise<string | undefined> => {
    if (proving.refuse(error)) return undefined;
    if (!isRefusal(error)) throw error;
    const notice = describeRefusal(error);
    const earlier = unanswered.current;
    const fate = await describeUnsent(connect(), link.id, { error, earlier });
    if (error.kind !== "gone") {
      return [fate, notice.text, earlier.length > 0 ? submit.done.hadEarlier : "", submit.kept]
        .filter(Boolean)
        .join(" ");
    }
    setEnd({ notice, fate });
    return undefined;
  };
  if (end) return <LateScreen end={end} content={content} />;
  if (delivery.stage && large) {
    return (
      <large.part.LargeScreen job={large.job} stage={delivery.stage} content={content} onCancel={delivery.cancel} />
    );
  }
  if (delivery.stage && (delivery.isLong || isLarge(content))) {
    return <DeliveryScreen stage={delivery.stage} content={content} onCancel={delivery.cancel} />;
  }
  const isBusy = delivery.stage !== undefined;
  return (
    <Screen
      title={titleOf(invitation.askedBy)}
      envelope="open"
      lede={invitation.askedBy && <WhoLine person={invitation.askedBy} />}
    >
      {asked.note !== undefined && (
        <blockquote class="quote" dir="auto" translate={false}>
          {asked.note}
        </blockquote>
      )}
      {(!proving.isNeeded || !isEmpty(content)) && (
        <Form
          form={form}
          onSubmit={() => {
            if (!proving.isNeeded) void delivery.run((deliverer) => handIn(deliverer).catch(refuse));
          }}
        >
          {formOnPage ? (
            <formOnPage.Fields
              values={values}
              complaints={complaints}
              isBusy={isBusy}
              onChange={(next) => {
                setValues(next);
                setContent({ ...NO_CONTENT, text: formOnPage.describe(next) });
                setComplaints({});
                delivery.clear();
              }}
            />
          ) : (
            <Composer
              content={content}
              label={submit.label}
              placeholder={submit.placeholder}
              maxBytes={limits && mostOf(limits)}
              isBusy={isBusy}
              complaint={emptiness}
              onChange={(next) => {
                setContent(next);
                setEmptiness("");
                delivery.clear();
              }}
            />
          )}
          {!proving.isNeeded && (
            <SubmitRow label={submit.button} stage={delivery.stage} complaint={delivery.complaint} />
          )}
        </Form>
      )}
      {addressees && proving.isNeeded && (
        <ProveFirst
          client={connect()}
          subject={{ kind: "request", id: link.id }}
          addressees={addressees}
          refused={proving.proof}
          openLabel={undefined}
          onProven={proving.accept}
        />
      )}
      <p class="hint">
        {submit.terms} {submit.caution} {submit.until(formatDay(invitation.expiresAt))}
        {invitation.submissionsLeft > 1 && ` ${submit.left(invitation.submissionsLeft)}`}
      </p>
    </Screen>
  );
}

function titleOf(person: Person | null): string {
  return person ? submit.titleBy(person.name ?? person.address) : submit.title;
}
