import type { ComponentType } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { storeSecret } from "../../client/stored-secrets.ts";
import type { SealedSecret, SecretTerms, SentSecret } from "../../client/stored-secrets.ts";
import { keepContentSummary } from "../browser/labels.ts";
import { useUnsaved } from "../browser/unsaved.ts";
import { inWorker, prepareWorker } from "../browser/workers.ts";
import { EVERYONE, useChosenPeople } from "../composing/chosen-people.ts";
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
import { NameCheck } from "../composing/name-check.tsx";
import { readContent } from "../composing/readings.ts";
import { SubmitRow, useCheckedForm } from "../composing/submit-row.tsx";
import { summarizeContent } from "../composing/summaries.ts";
import { describeTermsFailure } from "../composing/terms-failures.ts";
import { TermsOptions } from "../composing/terms-options.tsx";
import { TicketField, useTicket } from "../composing/ticket-field.tsx";
import { Screen } from "../frame/screens.tsx";
import { Complaint } from "../parts/complaint.tsx";
import { useCount } from "../parts/counts.ts";
import { Form } from "../parts/form.tsx";
import { useLifetime } from "../parts/lifetimes.ts";
import { useOnce } from "../parts/tasks.ts";
import type { Made } from "../parts/tasks.ts";
import { createSessionClient, requirePerson } from "../service/clients.ts";
import type { Person } from "../service/clients.ts";
import { PAGE } from "../texts/page.ts";
import { SENDING } from "../texts/sending.ts";
import { SUBMITTING } from "../texts/submitting.ts";
import { useApprover } from "./approvers.ts";
import { revokeCanceled } from "./canceled-secrets.ts";
import { useLargeSends } from "./large-sends.ts";
import { complaintAboutPassphrase, PassphraseField } from "./passphrase-field.tsx";
import { PasswordTool } from "./password-tool.tsx";
import { SentLink } from "./sent-link.tsx";

const { send, terms } = SENDING;
const { delivery: words } = SUBMITTING;

/** A secret that was sent, and its passphrase; empty when it needs none. */
interface Sent {
  readonly sent: SentSecret;
  readonly passphrase: string;
}

/** A secret that the server has, before the person sees its link. */
interface Stored {
  readonly stored: SentSecret;
  /** To be called once the person sees it. */
  readonly done: () => void;
}

/** The form that sends text and files, and then the link, with the switch for mails about it. */
export function SendForm(props: {
  readonly person: Person;
  readonly MailSwitch: ComponentType<{ readonly person: Person; readonly kind: "opened" | "asked" }>;
}) {
  const { person, MailSwitch } = props;
  const { limits, rules, person: sender } = person.credential;
  const { max_ciphertext_bytes: maxBytes } = limits;
  const mostBytes = mostCiphertextOf(limits);
  const [content, setContent] = useState(NO_CONTENT);
  const [emptiness, setEmptiness] = useState("");
  const lifetime = useLifetime(limits, rules);
  const count = useCount(limits.default_max_claims, limits.max_claims, rules);
  const [passphrase, setPassphrase] = useState("");
  const people = useChosenPeople("whoOpens", limits.proves_addresses, rules);
  const approver = useApprover(person);
  const ticket = useTicket(rules);
  const [isNamed, setNamed] = useState(true);
  const [sent, setSent] = useState<Sent | undefined>(undefined);
  const delivery = useDelivery({
    describe: (error) => people.part?.heedRefusal(people, error) ?? describeTermsFailure(error),
    canceled: { before: words.canceledBefore, after: () => undo() },
  });
  const { form, attempts, showWrong } = useCheckedForm();
  const sealOnce = useOnce<SealedSecret>();
  /** Undoes the last call when it is canceled, and returns a sentence about that. */
  const underWay = useRef<(() => Promise<string>) | undefined>(undefined);
  const large = useLargeSends(person);
  useUnsaved(!isEmpty(content), "typed");
  useEffect(() => prepareWorker(), []);
  const isBusy = delivery.stage !== undefined;

  const undo = async (): Promise<string> => (await underWay.current?.()) ?? words.canceledBefore;
  const undoSmall = async ({ value, done }: Made<SealedSecret>): Promise<string> => {
    const outcome = await revokeCanceled(person, value);
    // Sending the same envelope again would return the revoked secret.
    if (outcome === "revoked") done();
    return send.canceled[outcome];
  };
  /** Encrypts and sends what fits into one envelope. Undefined when it doesn't. */
  const storeSmall = async (
    { signal, waitFor, beginSending, onUpload }: Deliverer,
    extra: string,
    chosen: SecretTerms,
  ): Promise<Stored | undefined> => {
    const { ttlSeconds, maxClaims, isAnonymous, reference, addressees } = chosen;
    const once = await sealOnce(
      [content, extra, ttlSeconds, maxClaims, isAnonymous, reference, addressees?.join(), chosen.approver],
      async () =>
        inWorker({ kind: "send", content: await readContent(content), passphrase: extra || undefined }, signal),
    );
    const { value: sealed, idempotencyKey, done } = once;
    if (sealed.envelope.ciphertext.length > maxBytes) return undefined;
    underWay.current = () => undoSmall(once);
    // Checked only now: encrypting takes a while, in which another person may sign in.
    await waitFor(requirePerson(person));
    beginSending();
    const client = createSessionClient({ signal, onUpload });
    return { stored: await storeSecret(client, sealed, { ...chosen, idempotencyKey }), done };
  };
  const storeLarge = async (deliverer: Deliverer, extra: string, chosen: SecretTerms): Promise<Stored | string> => {
    if (mostBytes <= maxBytes) return describeTooLarge(content, maxBytes);
    const onJob = (undoLarge: () => Promise<string>) => void (underWay.current = undoLarge);
    const stored = await large.send(content, { passphrase: extra || undefined, terms: chosen }, deliverer, onJob);
    return typeof stored === "string" ? stored : { stored, done: () => undefined };
  };
  const store = async (deliverer: Deliverer): Promise<string | undefined> => {
    const [ttlSeconds, maxClaims, reference] = [lifetime.read(), count.read(), ticket.read()];
    const addressees = people.part?.readPeople(people);
    const nothing = complaintAboutNothing(content);
    setEmptiness(nothing ?? "");
    const isWrong = nothing ?? complaintAbout(content, mostBytes) ?? complaintAboutPassphrase(passphrase);
    // Each field shows its own complaint.
    if (ttlSeconds === undefined || maxClaims === undefined || reference === undefined) return showWrong();
    if (isWrong !== undefined || addressees === null) return showWrong();
    const extra = passphrase.trim();
    const chosen = {
      ttlSeconds,
      maxClaims,
      isAnonymous: !isNamed,
      reference: reference ?? undefined,
      addressees,
      approver: approver.chosen,
    };
    underWay.current = undefined;
    // Near the limit, only encrypting it shows whether it fits.
    const small = isSurelyTooLarge(content, maxBytes) ? undefined : await storeSmall(deliverer, extra, chosen);
    const result = small ?? (await storeLarge(deliverer, extra, chosen));
    if (typeof result === "string") return result;
    const { stored, done } = result;
    await keepContentSummary(person.id, stored.secret.id, summarizeContent(content));
    deliverer.endSending();
    setSent({ sent: stored, passphrase: extra });
    done();
    setContent(NO_CONTENT);
    setPassphrase("");
    ticket.change("");
    people.change(EVERYONE);
    approver.choose(approver.choices[0]);
    return undefined;
  };
  if (sent) {
    return (
      <SentLink
        person={person}
        {...sent}
        part={people.part}
        approverPart={approver.part}
        onMore={() => setSent(undefined)}
      >
        {person.sendsMails && (
          <MailSwitch person={person} kind={sent.sent.secret.approval === "sender" ? "asked" : "opened"} />
        )}
      </SentLink>
    );
  }
  if (delivery.stage && large.current) {
    const { part, job } = large.current;
    return <part.LargeScreen job={job} stage={delivery.stage} content={content} onCancel={delivery.cancel} />;
  }
  if (delivery.stage && (delivery.isLong || isLarge(content))) {
    return <DeliveryScreen stage={delivery.stage} content={content} onCancel={delivery.cancel} />;
  }
  return (
    <Screen title={PAGE.titles.send} lede={send.lede}>
      <Form form={form} onSubmit={() => void delivery.run(store)}>
        <Composer
          content={content}
          label={SUBMITTING.content.label}
          placeholder={SUBMITTING.content.placeholder}
          maxBytes={mostBytes}
          isBusy={isBusy}
          complaint={emptiness}
          onChange={(next) => {
            setContent(next);
            setEmptiness("");
            delivery.clear();
          }}
          tools={(insert) => <PasswordTool isBusy={isBusy} text={content.text} onMade={insert} />}
        />
        <TermsOptions
          lifetime={lifetime}
          count={count}
          countLegend={send.claims}
          describeCount={(each) => (each === 1 ? terms.once : terms.times(each))}
          describe={(time, times) =>
            send.policy(time, times, passphrase.trim() === "" ? send.withoutPassphrase : send.withPassphrase)
          }
          people={people}
          also={(approver.chosen && approver.part?.words.inBrief[approver.chosen]) ?? ""}
          onToggle={approver.load}
          isBusy={isBusy}
          attempts={attempts}
          isWrong={
            [lifetime, count, ticket, people].some(({ complaint }) => complaint !== "") ||
            ticket.isMissing ||
            people.isMissing ||
            complaintAboutPassphrase(passphrase) !== undefined
          }
        >
          {approver.part ? (
            <approver.part.ApproverField approver={approver} />
          ) : (
            <Complaint text={approver.complaint} />
          )}
          <PassphraseField passphrase={passphrase} isBusy={isBusy} onChange={setPassphrase} />
          <TicketField ticket={ticket} isBusy={isBusy} />
          {limits.show_senders && sender && (
            <NameCheck person={sender} words={send} isNamed={isNamed} onChange={setNamed} />
          )}
        </TermsOptions>
        <SubmitRow label={send.button} stage={delivery.stage} complaint={delivery.complaint} />
      </Form>
    </Screen>
  );
}
