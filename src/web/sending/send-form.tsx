import type { ComponentType } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { storeSecret } from "../../client/stored-secrets.ts";
import type { SealedSecret, SentSecret } from "../../client/stored-secrets.ts";
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

/** The form that sends text and files, and then the link, with the switch for mails about it. */
export function SendForm(props: {
  readonly person: Person;
  readonly MailSwitch: ComponentType<{ readonly person: Person; readonly kind: "opened" | "asked" }>;
}) {
  const { person, MailSwitch } = props;
  const { limits, rules, person: sender } = person.credential;
  const { max_ciphertext_bytes: maxBytes } = limits;
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
  /** The envelope of the last call, to be revoked when the call is canceled. */
  const underWay = useRef<Made<SealedSecret> | undefined>(undefined);
  useUnsaved(!isEmpty(content), "typed");
  useEffect(() => prepareWorker(), []);
  const isBusy = delivery.stage !== undefined;

  const undo = async (): Promise<string> => {
    if (!underWay.current) return words.canceledBefore;
    const { value, done } = underWay.current;
    const outcome = await revokeCanceled(person, value);
    // Sending the same envelope again would return the revoked secret.
    if (outcome === "revoked") done();
    return send.canceled[outcome];
  };
  const store = async ({
    signal,
    waitFor,
    beginSending,
    onUpload,
    endSending,
  }: Deliverer): Promise<string | undefined> => {
    const [ttlSeconds, maxClaims, reference] = [lifetime.read(), count.read(), ticket.read()];
    const addressees = people.part?.readPeople(people);
    const nothing = complaintAboutNothing(content);
    setEmptiness(nothing ?? "");
    const isWrong = nothing ?? complaintAbout(content, maxBytes) ?? complaintAboutPassphrase(passphrase);
    // Each field shows its own complaint.
    if (ttlSeconds === undefined || maxClaims === undefined || reference === undefined) return showWrong();
    if (isWrong !== undefined || addressees === null) return showWrong();
    const extra = passphrase.trim();
    const isAnonymous = !isNamed;
    const once = await sealOnce(
      [content, extra, ttlSeconds, maxClaims, isAnonymous, reference, addressees?.join(), approver.chosen],
      async () =>
        inWorker({ kind: "send", content: await readContent(content), passphrase: extra || undefined }, signal),
    );
    const { value: sealed, idempotencyKey, done } = once;
    underWay.current = once;
    if (sealed.envelope.ciphertext.length > maxBytes) return describeTooLarge(content, maxBytes);
    // Checked only now: encrypting takes a while, in which another person may sign in.
    await waitFor(requirePerson(person));
    beginSending();
    const client = createSessionClient({ signal, onUpload });
    const chosen = {
      ttlSeconds,
      maxClaims,
      isAnonymous,
      reference: reference ?? undefined,
      addressees,
      approver: approver.chosen,
      idempotencyKey,
    };
    const stored = await storeSecret(client, sealed, chosen);
    await keepContentSummary(person.id, stored.secret.id, summarizeContent(content));
    endSending();
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
          maxBytes={maxBytes}
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
