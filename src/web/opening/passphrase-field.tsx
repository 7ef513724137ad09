import type { RefObject } from "preact";
import { useState } from "preact/hooks";
import { Complaint } from "../parts/complaint.tsx";
import { IconButton } from "../parts/icon-button.tsx";
import { SECRET_ATTRIBUTES } from "../parts/secret-attributes.ts";
import { OPENING } from "../texts/opening.ts";
import { PAGE } from "../texts/page.ts";

const { open } = OPENING;

/** The field for the passphrase that the sender has shared. */
export function PassphraseField(props: {
  readonly field: RefObject<HTMLInputElement | null>;
  readonly value: string;
  /** Empty when there is none. */
  readonly complaint: string;
  readonly onInput: (typed: string) => void;
}) {
  const { field, value, complaint, onInput } = props;
  const [isShown, setShown] = useState(false);
  const words = isShown ? PAGE.passphrase.hide : PAGE.passphrase.show;
  return (
    <div class="field">
      <label class="label" for="passphrase">
        {PAGE.passphrase.label}
      </label>
      <div class="inside">
        <input
          {...SECRET_ATTRIBUTES}
          ref={field}
          {...(isShown ? { type: "text" } : { type: "password" })}
          class="input"
          id="passphrase"
          dir={value === "" ? undefined : "auto"}
          required
          value={value}
          aria-invalid={complaint !== ""}
          aria-describedby="passphrase-spaces passphrase-wrong"
          onInput={(event) => onInput(event.currentTarget.value)}
        />
        <IconButton icon={isShown ? "eye-off" : "eye"} label={words} onClick={() => setShown(!isShown)} />
      </div>
      <p class="hint" id="passphrase-spaces" role="status">
        {value.trim() === value ? open.passphraseHint : open.spaces}
      </p>
      <Complaint id="passphrase-wrong" text={complaint} />
    </div>
  );
}
