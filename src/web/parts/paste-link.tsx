import { useId, useState } from "preact/hooks";
import { linkKindOf } from "../../contract/links.ts";
import { findPastedLink } from "../browser/links.ts";
import { topUrl } from "../browser/places.ts";
import { Icon } from "../frame/icon.tsx";
import { PAGE } from "../texts/page.ts";
import { Complaint } from "./complaint.tsx";
import { Form } from "./form.tsx";
import { SECRET_ATTRIBUTES } from "./secret-attributes.ts";

const { paste } = PAGE;

/**
 * A field for a link, and a button that opens it. Names another server, or another kind of link than that of the
 * page's address, before going there. Text around a pasted link is ignored.
 */
export function PasteLink(props: { readonly label?: string; readonly placeholder?: string; readonly hint?: string }) {
  const { label = paste.label, placeholder, hint } = props;
  const [text, setText] = useState("");
  const [complaint, setComplaint] = useState("");
  const [doubted, setDoubted] = useState("");
  const id = useId();
  const change = (typed: string) => {
    setText(typed);
    setComplaint("");
    setDoubted("");
  };
  const open = () => {
    const link = findLink(text);
    if (text.trim() === "") setComplaint(paste.empty);
    else if (link === undefined) setComplaint(paste.noLink);
    else if (!link.includes("#")) setComplaint(paste.noKey);
    else if (isHere(link) && !isOfOtherKind(link)) location.assign(link);
    else setDoubted(link);
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
      <div role="status">{doubted && <Doubted link={doubted} />}</div>
    </Form>
  );
}

/** Says that a link leads to another server, or is of another kind than was asked for, and links to it. */
function Doubted({ link }: { readonly link: string }) {
  const { host } = new URL(link);
  const kind = linkKindOf(link);
  const [text, button] =
    isHere(link) && kind ? [paste.kinds[kind], paste.button] : [paste.elsewhere(host), paste.openOn(host)];
  return (
    <div class="notice warn">
      <Icon name="warning" />
      <div class="notice-row">
        <p>{text}</p>
        <a class="button" href={link} rel="noreferrer">
          {button}
        </a>
      </div>
    </div>
  );
}

function isHere(link: string): boolean {
  return link.startsWith(`${topUrl()}/`);
}

/** True for a link of another kind than the address of the page, if that is one of a link. */
function isOfOtherKind(link: string): boolean {
  const kind = linkKindOf(location.href);
  return kind !== undefined && kind !== linkKindOf(link);
}

/**
 * Finds a link in pasted text: to a secret, a request or its submissions, or to sign in here; undefined when there is
 * none.
 */
function findLink(text: string): string | undefined {
  const signIn = `${topUrl()}/sign-in#`;
  return findPastedLink(text) ?? text.split(/\s+/).find((word) => word.startsWith(signIn));
}
