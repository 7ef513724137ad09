import { useId, useState } from "preact/hooks";
import { findPastedLink } from "../browser/links.ts";
import { topUrl } from "../browser/places.ts";
import { Icon } from "../frame/icon.tsx";
import { PAGE } from "../texts/page.ts";
import { Complaint } from "./complaint.tsx";
import { Form } from "./form.tsx";
import { SECRET_ATTRIBUTES } from "./secret-attributes.ts";

const { paste } = PAGE;

/**
 * A field for a link, and a button that opens it. Names another server before going there. Text around a pasted link is
 * ignored.
 */
export function PasteLink(props: { readonly label?: string; readonly placeholder?: string; readonly hint?: string }) {
  const { label = paste.label, placeholder, hint } = props;
  const [text, setText] = useState("");
  const [complaint, setComplaint] = useState("");
  const [elsewhere, setElsewhere] = useState("");
  const id = useId();
  const change = (typed: string) => {
    setText(typed);
    setComplaint("");
    setElsewhere("");
  };
  const open = () => {
    const link = findLink(text);
    if (text.trim() === "") setComplaint(paste.empty);
    else if (link === undefined) setComplaint(paste.noLink);
    else if (!link.includes("#")) setComplaint(paste.noKey);
    else if (link.startsWith(`${topUrl()}/`)) location.assign(link);
    else setElsewhere(link);
  };
  return (
    <Form class="field" onSubmit={open}>
      <label class="label" for={id}>
        {label}
      </label>
      <div class="with-button">
        <input
          {...SECRET_ATTRIBUTES}
          class="input"
          id={id}
          dir="ltr"
          type="text"
          inputMode="url"
          placeholder={placeholder}
          value={text}
          aria-invalid={complaint !== ""}
          aria-describedby={`${id}-hint ${id}-wrong`}
          onInput={(event) => change(event.currentTarget.value)}
        />
        <button type="submit" class="button primary">
          {paste.button}
        </button>
      </div>
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <Complaint id={`${id}-wrong`} text={complaint} />
      <div role="status">{elsewhere && <Elsewhere link={elsewhere} />}</div>
    </Form>
  );
}

/** Warns that a link leads to another server, and links to it. */
function Elsewhere({ link }: { readonly link: string }) {
  const { host } = new URL(link);
  return (
    <div class="notice warn">
      <Icon name="warning" />
      <div class="notice-row">
        <p>{paste.elsewhere(host)}</p>
        <a class="button" href={link} rel="noreferrer">
          {paste.openOn(host)}
        </a>
      </div>
    </div>
  );
}

/**
 * Finds a link in pasted text: to a secret, a request or its submissions, or to sign in here; undefined when there is
 * none.
 */
function findLink(text: string): string | undefined {
  const signIn = `${topUrl()}/sign-in#`;
  return findPastedLink(text) ?? text.split(/\s+/).find((word) => word.startsWith(signIn));
}
