import { useId, useState } from "preact/hooks";
import { generatePassphrase } from "../../crypto/generators.ts";
import { isGuessable } from "../../crypto/passphrases.ts";
import { Complaint } from "../parts/complaint.tsx";
import { IconButton } from "../parts/icon-button.tsx";
import { SECRET_ATTRIBUTES } from "../parts/secret-attributes.ts";
import { Warning } from "../parts/warning.tsx";
import { PAGE } from "../texts/page.ts";
import { SENDING } from "../texts/sending.ts";

const { send } = SENDING;

/** Returns the complaint about a passphrase; undefined when there is none. */
export function complaintAboutPassphrase(passphrase: string): string | undefined {
  return passphrase !== "" && passphrase.trim() === "" ? send.blankPassphrase : undefined;
}

/** The field for a passphrase, which can also be generated here. */
export function PassphraseField(props: {
  readonly passphrase: string;
  readonly isBusy: boolean;
  readonly onChange: (passphrase: string) => void;
}) {
  const { passphrase, isBusy, onChange } = props;
  const [isShown, setShown] = useState(false);
  const [bits, setBits] = useState<number | undefined>(undefined);
  const [failure, setFailure] = useState("");
  const id = useId();
  const suggest = async () => {
    setFailure("");
    // The word list is a separate file, and may fail to load.
    const made = await generatePassphrase().catch(() => undefined);
    if (!made) return setFailure(PAGE.failed.stale);
    setBits(made.bits);
    setShown(true);
    return onChange(made.text);
  };
  const isWeak = passphrase.trim() !== "" && isGuessable(passphrase);
  const isTrimmed = passphrase.trim() !== passphrase && passphrase.trim() !== "";
  return (
    <div class="field">
      <div class="label-row">
        <label class="label" for={id}>
          {send.passphrase}
        </label>
        <button type="button" class="button inline" onClick={() => isBusy || void suggest()}>
          {send.suggest}
        </button>
      </div>
      <div class="inside">
        <input
          id={id}
          class="input mono"
          dir={passphrase === "" ? undefined : "auto"}
          {...(isShown ? { type: "text" } : { type: "password" })}
          {...SECRET_ATTRIBUTES}
          readOnly={isBusy}
          value={passphrase}
          aria-invalid={complaintAboutPassphrase(passphrase) !== undefined}
          aria-describedby={`${id}-hint`}
          onInput={(event) => {
            setBits(undefined);
            onChange(event.currentTarget.value);
          }}
        />
        <IconButton
          icon={isShown ? "eye-off" : "eye"}
          label={isShown ? PAGE.passphrase.hide : PAGE.passphrase.show}
          onClick={() => setShown(!isShown)}
        />
      </div>
      <p class="hint" id={`${id}-hint`}>
        {send.passphraseHint}
      </p>
      <div role="status">
        {bits !== undefined && <p class="hint">{send.strength(bits)}</p>}
        {isTrimmed && <p class="hint">{send.trimmed}</p>}
        {isWeak && <Warning>{send.guessable}</Warning>}
      </div>
      <Complaint text={complaintAboutPassphrase(passphrase) ?? failure} />
    </div>
  );
}
