import { useState } from "preact/hooks";
import { findPastedLink } from "../browser/links.ts";
import { STRINGS } from "../strings.ts";
import { Complaint } from "./complaint.tsx";
import { SECRET_ATTRIBUTES } from "./secret-attributes.ts";

const { paste } = STRINGS;

/** A field for a link, and the button that goes where it leads. What is pasted around it does not matter. */
export function PasteLink({ label = paste.label }: { readonly label?: string }) {
  const [text, setText] = useState("");
  const [complaint, setComplaint] = useState("");
  const open = () => {
    const link = findPastedLink(text);
    if (link === undefined) setComplaint(paste.noLink);
    else if (!link.includes("#")) setComplaint(paste.noKey);
    else location.assign(link);
  };
  return (
    <form
      class="field"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        open();
      }}
    >
      <label class="label" for="pasted-link">
        {label}
      </label>
      <div class="with-button">
        <input
          {...SECRET_ATTRIBUTES}
          class="input"
          id="pasted-link"
          type="text"
          inputMode="url"
          value={text}
          aria-invalid={complaint !== ""}
          aria-describedby="pasted-link-wrong"
          onInput={(event) => {
            setText(event.currentTarget.value);
            setComplaint("");
          }}
        />
        <button type="submit" class="button primary">
          {paste.button}
        </button>
      </div>
      <Complaint id="pasted-link-wrong" text={complaint} />
    </form>
  );
}
