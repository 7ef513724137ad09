import { useEffect, useId, useRef, useState } from "preact/hooks";
import { beginProof } from "../../client/signing-in/proofs.ts";
import { Complaint } from "../parts/complaint.tsx";
import { Form } from "../parts/form.tsx";
import { useTask } from "../parts/tasks.ts";
import { isAddress } from "../parts/typed-mail.ts";
import { MAIL } from "../texts/mail.ts";
import { LANGUAGE } from "../texts/page.ts";
import { PROVING } from "../texts/proving.ts";
import type { Mask } from "./addressees.ts";
import { describeRefusal } from "./failures.ts";
import type { BegunProof } from "./kept-proofs.ts";
import type { ProveProps } from "./proofs.ts";

const { mail } = MAIL;
const { proof: words } = PROVING;

/** The field for the address to which a code is mailed. */
export function AddressForm(
  props: ProveProps & {
    readonly masks: readonly Mask[];
    /** The address to begin with; undefined for none. */
    readonly known: string | undefined;
    /** True when the form takes the place of something else on the screen. */
    readonly hasFocus: boolean;
    readonly onBegun: (begun: BegunProof) => void;
  },
) {
  const { client, subject, masks, known, hasFocus, onBegun } = props;
  const [text, setText] = useState(known ?? "");
  const task = useTask(describeRefusal);
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  useEffect(() => {
    if (hasFocus) field.current?.focus();
  }, []);
  const submit = async () => {
    await task.run(async (say) => {
      const address = text.trim();
      if (address === "") return mail.empty;
      if (!isAddress(address)) return mail.malformed;
      say(mail.sending);
      onBegun({ address, proofToken: await beginProof(client, subject, { address, language: LANGUAGE }) });
      return undefined;
    });
    field.current?.focus();
  };
  return (
    <Form class="stack-m" onSubmit={() => void submit()}>
      <div class="field">
        <label class="label" for={id}>
          {mail.address}
        </label>
        <input
          ref={field}
          id={id}
          class="input"
          dir="ltr"
          type="email"
          inputMode="email"
          autocomplete="email"
          autocapitalize="none"
          // In this spelling it is set as an attribute. As a property, "off" would count as true.
          autoCorrect="off"
          spellcheck={false}
          value={text}
          aria-invalid={task.complaint !== ""}
          aria-describedby={`${id}-hint ${id}-wrong`}
          onInput={(event) => {
            setText(event.currentTarget.value);
            task.clear();
          }}
        />
        <p class="hint" id={`${id}-hint`}>
          {describeWanted(masks)}
        </p>
        <Complaint id={`${id}-wrong`} text={task.complaint} />
      </div>
      <button type="submit" class="button primary" aria-disabled={task.progress !== ""}>
        <span aria-live="polite">{task.progress || mail.send}</span>
      </button>
    </Form>
  );
}

/** Which address to enter, as far as the server says it. */
function describeWanted([only, ...others]: readonly Mask[]): string {
  if (only?.start === undefined || others.length > 0) return words.hint;
  return words.hintOne(only.start, `@${only.domain}`);
}
