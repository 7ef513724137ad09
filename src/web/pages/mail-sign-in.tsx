import type { RefObject } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { MailCodeInput } from "../parts/mail-code-input.tsx";
import { isAddress, parseMailCode } from "../parts/typed-mail.ts";
import { MAIL } from "../texts/mail.ts";
import { findAddress, forgetAddress, sendCode, useCode } from "./mail-codes.ts";
import type { MailKit } from "./mail-kits.ts";
import { offerPasskeys } from "./offered-passkeys.ts";

const { mail: words } = MAIL;

interface Props {
  readonly kit: MailKit;
  readonly hasPasskeys: boolean;
  /** The address to begin with. */
  readonly known?: string;
}

/** Signing in with a code that comes by mail: the address first, then the code. */
export function MailSignIn(props: Props) {
  const { kit } = props;
  const [address, setAddress] = useState(findAddress);
  if (address === undefined) return <AddressForm {...props} onSent={setAddress} />;
  const leave = () => {
    forgetAddress();
    setAddress(undefined);
  };
  return <CodeForm kit={kit} address={address} onLeave={leave} />;
}

function AddressForm(props: Props & { readonly onSent: (address: string) => void }) {
  const { Complaint, Form } = props.kit;
  const [text, setText] = useState(props.known ?? "");
  const task = useTask();
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  const passkeys = useOfferedPasskeys(props.kit, props.hasPasskeys);
  const submit = async () => {
    await task.run(async (say) => {
      const address = text.trim();
      if (address === "") return words.empty;
      if (!isAddress(address)) return words.malformed;
      passkeys.stop();
      say(words.sending);
      const complaint = await sendCode(props.kit, address);
      if (complaint === undefined) props.onSent(address);
      return complaint;
    });
    field.current?.focus();
  };
  return (
    <Form class="field" onSubmit={() => void submit()}>
      <label class="label" for={id}>
        {words.address}
      </label>
      <div class="with-button">
        <input
          ref={field}
          id={id}
          class="input"
          dir="ltr"
          type="text"
          inputMode="email"
          autocomplete="username webauthn"
          autocapitalize="none"
          // In this spelling it is set as an attribute. As a property, "off" would count as true.
          autoCorrect="off"
          spellcheck={false}
          value={text}
          aria-invalid={task.complaint !== ""}
          aria-describedby={`${id}-hint ${id}-wrong`}
          onPointerEnter={passkeys.start}
          onFocus={passkeys.start}
          onInput={(event) => {
            setText(event.currentTarget.value);
            task.clear();
          }}
        />
        <button type="submit" class="button" aria-disabled={task.progress !== ""}>
          {task.progress || words.send}
        </button>
      </div>
      {!props.known && (
        <p class="hint" id={`${id}-hint`}>
          {words.noAccount}
        </p>
      )}
      <Complaint id={`${id}-wrong`} text={task.complaint || passkeys.complaint} />
    </Form>
  );
}

/** Passkeys among the suggestions of the browser for the field, from its first use on, where there are passkeys. */
function useOfferedPasskeys(kit: MailKit, hasPasskeys: boolean) {
  const [complaint, setComplaint] = useState("");
  const offer = useRef<{ readonly stop: () => void } | undefined>(undefined);
  const stop = () => {
    offer.current?.stop();
    offer.current = undefined;
  };
  useEffect(() => stop, []);
  return {
    complaint,
    stop,
    start: () => {
      if (hasPasskeys) offer.current ??= offerPasskeys(kit, setComplaint);
    },
  };
}

function CodeForm(props: { readonly kit: MailKit; readonly address: string; readonly onLeave: () => void }) {
  const { kit, address, onLeave } = props;
  const { Complaint, Form, signIn } = kit;
  const [text, setText] = useState("");
  const [note, setNote] = useState(words.sent(address));
  const task = useTask();
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  useFocus(field);
  const submit = async () => {
    await task.run(async (say) => {
      const code = parseMailCode(text);
      if (code === undefined) return text.trim() === "" ? words.emptyCode : words.malformedCode;
      say(signIn.busy);
      const result = await useCode(kit, code);
      if (result !== "signed-in") return result.complaint;
      kit.goOn();
      return undefined;
    });
    field.current?.focus();
  };
  const again = async () => {
    await task.run(async (say) => {
      say(words.sending);
      setNote(words.sent(address));
      const complaint = await sendCode(props.kit, address);
      if (complaint === undefined) {
        setText("");
        setNote(words.resent(address));
      }
      return complaint;
    });
    field.current?.focus();
  };
  return (
    <Form class="stack-s" onSubmit={() => void submit()}>
      <p role="status">{note}</p>
      <div class="field">
        <label class="label" for={id}>
          {words.code}
        </label>
        <div class="with-button">
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
          <button type="submit" class="button primary" aria-disabled={task.progress !== ""}>
            {task.progress || signIn.button}
          </button>
        </div>
        <p class="hint" id={`${id}-hint`}>
          {words.hint}
        </p>
        <Complaint id={`${id}-wrong`} text={task.complaint} />
      </div>
      <div class="buttons">
        <button type="button" class="button" aria-disabled={task.progress !== ""} onClick={() => void again()}>
          {words.another}
        </button>
        <button type="button" class="button" onClick={onLeave}>
          {words.otherAddress}
        </button>
      </div>
    </Form>
  );
}

/** Gives a field the focus once it is shown. */
function useFocus(field: RefObject<HTMLInputElement | null>): void {
  useEffect(() => field.current?.focus(), []);
}

/** The work of a form, one run at a time: what it does and what was wrong with it, as texts that may be empty. */
function useTask() {
  // Not the state, which a second click within one frame would not see changed.
  const isBusy = useRef(false);
  const [progress, setProgress] = useState("");
  const [complaint, setComplaint] = useState("");
  return {
    progress,
    complaint,
    clear: () => setComplaint(""),
    run: async (work: (say: (progress: string) => void) => Promise<string | undefined>) => {
      if (isBusy.current) return;
      isBusy.current = true;
      setComplaint("");
      setComplaint((await work(setProgress)) ?? "");
      isBusy.current = false;
      setProgress("");
    },
  };
}
