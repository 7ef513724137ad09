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
/** On a narrow phone. It counts only where a field can't grow with its content by itself. */
const CHARACTERS_PER_ROW = 22;

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
  const common = {
    ...SECRET_ATTRIBUTES,
    id,
    dir: passphrase === "" ? undefined : "auto",
    readOnly: isBusy,
    value: passphrase,
    "aria-invalid": complaintAboutPassphrase(passphrase) !== undefined,
    "aria-describedby": `${id}-hint`,
    onInput: ({ currentTarget: { value } }: { readonly currentTarget: { readonly value: string } }) => {
      setBits(undefined);
      onChange(value.replaceAll(/[\r\n]/g, ""));
    },
  } as const;
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
        {isShown ? (
          // Only a field of several lines shows all of a long one on a phone.
          <textarea
            {...common}
            class="input mono whole"
            rows={Math.max(1, Math.ceil(passphrase.length / CHARACTERS_PER_ROW))}
            onKeyDown={(event) => {
              if (event.key !== "Enter" || event.isComposing || event.ctrlKey || event.metaKey) return;
              event.preventDefault();
              event.currentTarget.form?.requestSubmit();
            }}
          />
        ) : (
          <input {...common} class="input mono" type="password" />
        )}
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
