import { useState } from "preact/hooks";
import { findPastedLink } from "../browser/links.ts";
import { topUrl } from "../browser/places.ts";
import { Icon } from "../frame/icon.tsx";
import { Complaint } from "../parts/complaint.tsx";
import { SECRET_ATTRIBUTES } from "../parts/secret-attributes.ts";
import { STRINGS } from "../strings.ts";

const { landing, paste } = STRINGS;

/** A field for a link that somebody was sent, and the button that goes where it leads. */
export function StartLink() {
  const [text, setText] = useState("");
  const [complaint, setComplaint] = useState("");
  const [elsewhere, setElsewhere] = useState("");
  const change = (typed: string) => {
    setText(typed);
    setComplaint("");
    setElsewhere("");
  };
  const open = () => {
    const link = findLink(text);
    if (link === undefined) setComplaint(paste.noLink);
    else if (!link.includes("#")) setComplaint(paste.noKey);
    else if (isOfHere(link)) location.assign(link);
    else setElsewhere(link);
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
      <label class="label" for="link">
        {landing.link}
      </label>
      <div class="with-button">
        <input
          {...SECRET_ATTRIBUTES}
          class="input"
          id="link"
          type="text"
          inputMode="url"
          placeholder={landing.placeholder}
          value={text}
          aria-invalid={complaint !== ""}
          aria-describedby="link-hint link-wrong"
          onInput={(event) => change(event.currentTarget.value)}
        />
        <button type="submit" class="button primary">
          {paste.button}
        </button>
      </div>
      <p class="hint" id="link-hint">
        {landing.hint}
      </p>
      <Complaint id="link-wrong" text={complaint} />
      <div role="status">{elsewhere && <Elsewhere link={elsewhere} />}</div>
    </form>
  );
}

/** The warning that a link leads to another server, and the way there. */
function Elsewhere({ link }: { readonly link: string }) {
  const { host } = new URL(link);
  return (
    <div class="notice warn">
      <Icon name="warning" />
      <div class="notice-row">
        <p>{landing.elsewhere(host)}</p>
        <a class="button" href={link} rel="noreferrer">
          {landing.openOn(host)}
        </a>
      </div>
    </div>
  );
}

/** The link in what was pasted, to a secret, a request, what was handed in, or to sign in here; undefined when there is none. */
function findLink(text: string): string | undefined {
  const signIn = `${topUrl()}/sign-in#`;
  return findPastedLink(text) ?? text.split(/\s+/).find((word) => word.startsWith(signIn));
}

function isOfHere(link: string): boolean {
  return link.startsWith(`${topUrl()}/`);
}
