import { useEffect, useState } from "preact/hooks";
import { generatePassword } from "../../crypto/generators.ts";
import { Icon } from "../frame/icon.tsx";
import { SENDING } from "../texts/sending.ts";

const { send } = SENDING;

/** The button that generates a password. */
export function PasswordTool(props: {
  readonly isBusy: boolean;
  /** The current text. The message about the password disappears when the text changes. */
  readonly text: string;
  readonly onMade: (password: string) => void;
}) {
  const { isBusy, text, onMade } = props;
  const [made, setMade] = useState<{ readonly text: string; readonly bits: number } | undefined>(undefined);
  const isThere = made !== undefined && text.includes(made.text);
  useEffect(() => {
    if (made && !isThere) setMade(undefined);
  }, [isThere]);
  const make = () => {
    const password = generatePassword();
    setMade(password);
    onMade(password.text);
  };
  return (
    <>
      <button type="button" class="button tool" aria-disabled={isBusy} onClick={() => isBusy || make()}>
        <Icon name="key" />
        {send.makePassword}
      </button>
      <span role="status" class={isThere ? "room" : "unseen"}>
        {isThere ? send.passwordMade(made.bits) : ""}
      </span>
    </>
  );
}
