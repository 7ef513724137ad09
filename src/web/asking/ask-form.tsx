import { useEffect, useState } from "preact/hooks";
import { storeRequest } from "../../client/requests.ts";
import type { PreparedRequest, RequestTerms } from "../../client/requests.ts";
import type { Envelope } from "../../contract/envelopes.ts";
import { formatBackupLink } from "../../crypto/backup-links.ts";
import { isBlank } from "../../crypto/contents.ts";
import { encodeNote } from "../../crypto/forms.ts";
import type { FormField } from "../../crypto/forms.ts";
import { keepAgeIdentity, requestPersistence } from "../browser/age-identities.ts";
import { topUrl } from "../browser/places.ts";
import { useUnsaved } from "../browser/unsaved.ts";
import { inWorker, prepareWorker } from "../browser/workers.ts";
import { EVERYONE, useChosenPeople } from "../composing/chosen-people.ts";
import { NameCheck } from "../composing/name-check.tsx";
import { useCheckedForm } from "../composing/submit-row.tsx";
import { describeTermsFailure } from "../composing/terms-failures.ts";
import { TermsOptions } from "../composing/terms-options.tsx";
import { TicketField, useTicket } from "../composing/ticket-field.tsx";
import { Screen } from "../frame/screens.tsx";
import { Complaint } from "../parts/complaint.tsx";
import { useCount } from "../parts/counts.ts";
import { Form } from "../parts/form.tsx";
import { formatNumber } from "../parts/formats.ts";
import { useLifetime } from "../parts/lifetimes.ts";
import { useOnce, useTask } from "../parts/tasks.ts";
import { requirePerson } from "../service/clients.ts";
import type { Person } from "../service/clients.ts";
import { PAGE } from "../texts/page.ts";
import { SENDING } from "../texts/sending.ts";
import { AskedLink } from "./asked-link.tsx";
import type { Asked } from "./asked-link.tsx";
import { complaintAboutName, FormEditor, NO_FORM } from "./form-editor.tsx";

const { ask } = SENDING;
/** In characters: a note of this length fits into the server's limit in any script. */
const MAX_NOTE_LENGTH = 2000;

/** The form that asks for a secret, and then the link to pass on. */
export function AskForm({ person }: { readonly person: Person }) {
  const { limits, rules, person: asker } = person.credential;
  const [note, setNote] = useState("");
  const [form, setForm] = useState(NO_FORM);
  const { form: element, attempts, showWrong } = useCheckedForm();
  const lifetime = useLifetime(limits, rules);
  const count = useCount(1, limits.max_claims, rules);
  const people = useChosenPeople("whoHandsIn", limits.proves_addresses, rules);
  const ticket = useTicket(rules);
  const [isNamed, setNamed] = useState(true);
  const [asked, setAsked] = useState<Asked | undefined>(undefined);
  const task = useTask((error) => people.part?.heedRefusal(people, error) ?? describeTermsFailure(error));
  const prepareOnce = useOnce<Prepared>();
  useUnsaved(note !== "", "typed");
  useEffect(() => prepareWorker(), []);
  const isBusy = task.progress !== "";

  const submit = () =>
    task.run(async (say) => {
      const [ttlSeconds, maxSubmissions, reference] = [lifetime.read(), count.read(), ticket.read()];
      // Each field shows its own complaint.
      if (form.fields.some((_, index) => complaintAboutName(form.fields, index) !== "")) return showWrong();
      const addressees = people.part?.readPeople(people);
      if (addressees === null) return showWrong();
      if (ttlSeconds === undefined || maxSubmissions === undefined || reference === undefined) return undefined;
      say(ask.busy);
      const terms = {
        ttlSeconds,
        maxSubmissions,
        reference: reference ?? undefined,
        isAnonymous: !isNamed,
        addressees,
      };
      const fields = form.fields.map(({ name, kind }) => ({ name: name.trim().normalize("NFC"), kind }));
      const inputs = [note, JSON.stringify(fields), ttlSeconds, maxSubmissions, reference, isNamed, addressees?.join()];
      const { value, idempotencyKey, done } = await prepareOnce(inputs, () => prepare(note, fields));
      // Checked only now: creating keys takes a while, in which another person may sign in.
      await requirePerson(person);
      const stored = await store(person, value, { ...terms, idempotencyKey });
      done();
      setAsked({ ...stored, note: isBlank(note) ? "" : note });
      setNote("");
      setForm(NO_FORM);
      ticket.change("");
      people.change(EVERYONE);
      return undefined;
    });
  if (asked) return <AskedLink person={person} asked={asked} part={people.part} onMore={() => setAsked(undefined)} />;
  return (
    <Screen title={PAGE.titles.ask} lede={ask.lede}>
      <Form form={element} onSubmit={() => void submit()}>
        <div class="field">
          <label class="label" for="note">
            {ask.note}
          </label>
          <textarea
            class="input"
            id="note"
            rows={2}
            dir="auto"
            translate={false}
            maxLength={MAX_NOTE_LENGTH}
            placeholder={ask.placeholder}
            aria-describedby="note-hint"
            readOnly={isBusy}
            value={note}
            onInput={(event) => {
              setNote(event.currentTarget.value);
              task.clear();
            }}
          />
          <p class="hint" id="note-hint">
            {ask.noteHint}
          </p>
        </div>
        <FormEditor draft={form} isBusy={isBusy} isChecked={attempts > 0} onChange={setForm} />
        <TermsOptions
          lifetime={lifetime}
          count={count}
          countLegend={ask.count}
          describeCount={formatNumber}
          describe={ask.policy}
          people={people}
          isBusy={isBusy}
          attempts={attempts}
          isWrong={
            [lifetime, count, ticket, people].some(({ complaint }) => complaint !== "") ||
            ticket.isMissing ||
            people.isMissing
          }
        >
          <TicketField ticket={ticket} isBusy={isBusy} />
          {limits.show_senders && asker && (
            <NameCheck person={asker} words={ask} isNamed={isNamed} onChange={setNamed} />
          )}
        </TermsOptions>
        <Complaint text={task.complaint} />
        <div class="buttons">
          <button type="submit" class="button primary" aria-disabled={isBusy}>
            <span aria-live="polite">{task.progress || ask.button}</span>
          </button>
        </div>
      </Form>
    </Screen>
  );
}

/** Stores a request. This browser keeps the key before the link is shown. Throws ClientError. */
async function store(
  person: Person,
  { request: prepared, ownNote }: Prepared,
  terms: RequestTerms,
): Promise<Omit<Asked, "note">> {
  const { ageIdentity } = prepared;
  const { link, request } = await storeRequest(person.client, prepared, terms);
  const isKept = await keepAgeIdentity(person.id, request.id, { identity: ageIdentity, note: ownNote, claims: {} });
  if (isKept) await requestPersistence();
  const backupLink = formatBackupLink({ baseUrl: topUrl(), id: request.id, ageIdentity });
  return { link, backupLink, request, isKept };
}

/** A request to store, and its note as this browser keeps it: encrypted to the request's own age identity. */
interface Prepared {
  readonly request: PreparedRequest;
  readonly ownNote: Envelope | undefined;
}

async function prepare(note: string, fields: readonly FormField[]): Promise<Prepared> {
  const text = isBlank(note) ? undefined : note;
  const isNoted = text !== undefined || fields.length > 0;
  const whole = isNoted ? encodeNote({ text, fields }) : undefined;
  const request = await inWorker({ kind: "ask", note: whole });
  if (whole === undefined) return { request, ownNote: undefined };
  const { recipient } = request;
  return { request, ownNote: await inWorker({ kind: "seal", content: { kind: "text", text: whole }, recipient }) };
}
