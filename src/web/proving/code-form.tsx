import { useEffect, useId, useRef, useState } from "preact/hooks";
import { beginProof, completeProof } from "../../client/signing-in/proofs.ts";
import { Complaint } from "../parts/complaint.tsx";
import { Form } from "../parts/form.tsx";
import { MailCodeInput } from "../parts/mail-code-input.tsx";
import { useTask } from "../parts/tasks.ts";
import { parseMailCode } from "../parts/typed-mail.ts";
import { MAIL } from "../texts/mail.ts";
import { LANGUAGE, PAGE } from "../texts/page.ts";
import { PROVING } from "../texts/proving.ts";
import { describeRefusal } from "./failures.ts";
import { forgetProof, keepProof, toHeldProof } from "./kept-proofs.ts";
import type { BegunProof } from "./kept-proofs.ts";
import type { ProveProps } from "./proofs.ts";

const { mail } = MAIL;
const { proof: words } = PROVING;

/** The field for the code from the mail. The sentence above it is the same for every address. */
export function CodeForm(
  props: ProveProps & {
    readonly begun: BegunProof;
    readonly onBegun: (begun: BegunProof) => void;
    /** Called to take another address. */
    readonly onLeave: () => void;
  },
) {
  const { client, subject, openLabel, begun, onProven, onBegun, onLeave } = props;
  const { address } = begun;
  const [text, setText] = useState("");
  const [note, setNote] = useState(words.sent(address));
  const task = useTask(describeRefusal);
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  useEffect(() => field.current?.focus(), []);
  const submit = async () => {
    await task.run(async (say) => {
      const code = parseMailCode(text);
      if (code === undefined) return text.trim() === "" ? mail.emptyCode : mail.malformedCode;
      say(PAGE.loading);
      const proof = await completeProof(client, subject, { proofToken: begun.proofToken, code });
      const proven = { address: proof.address, proofToken: proof.proof_token };
      // Otherwise it is used at once.
      if (openLabel === undefined) keepProof(subject.id, proven);
      else forgetProof(subject.id);
      onProven(toHeldProof(subject.id, proven));
      return undefined;
    });
    field.current?.focus();
  };
  const again = async () => {
    await task.run(async (say) => {
      say(mail.sending);
      onBegun({ address, proofToken: await beginProof(client, subject, { address, language: LANGUAGE }) });
      setText("");
      setNote(words.resent(address));
      return undefined;
    });
    field.current?.focus();
  };
  const isBusy = task.progress !== "";
  return (
    <Form class="stack-m" onSubmit={() => void submit()}>
      <p role="status">{note}</p>
      <div class="field">
        <label class="label" for={id}>
          {mail.code}
        </label>
        <MailCodeInput
          field={field}
          id={id}
          value={text}
          isWrong={task.complaint !== ""}
          describedBy={`${id}-hint ${id}-wrong`}
          onInput={(typed) => {
            setText(typed);
            task.clear();
          }}
        />
        <p class="hint" id={`${id}-hint`}>
          {mail.hint}
        </p>
        <Complaint id={`${id}-wrong`} text={task.complaint} />
      </div>
      <button type="submit" class="button primary" aria-disabled={isBusy}>
        <span aria-live="polite">{task.progress || (openLabel ?? words.continue)}</span>
      </button>
      <div class="buttons">
        <button type="button" class="button" aria-disabled={isBusy} onClick={() => void again()}>
          {mail.another}
        </button>
        <button type="button" class="button" onClick={onLeave}>
          {mail.otherAddress}
        </button>
      </div>
    </Form>
  );
}
