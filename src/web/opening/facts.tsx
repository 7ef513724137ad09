import type { Secret } from "../../contract/secrets.ts";
import type { LinkHint } from "../../crypto/link-hints.ts";
import { describeSize, formatDay } from "../parts/formats.ts";
import { OPENING } from "../texts/opening.ts";
import { PAGE } from "../texts/page.ts";
import type { OpenLink } from "./links.ts";

const { open } = OPENING;

/** The known facts about a secret before it is opened, in one line. */
export function Facts({ secret, link }: { readonly secret: Secret; readonly link: OpenLink }) {
  const { max_claims: most, claims, expires_at: expiresAt } = secret;
  const left = most - claims;
  const facts = [
    link.hint && describeHint(link.hint),
    describeSize(secret),
    claims === 0 ? open.times(left) : open.moreTimes(left),
    open.until(formatDay(expiresAt)),
  ];
  return <ul class="factline">{facts.map((fact) => fact !== undefined && <li key={fact}>{fact}</li>)}</ul>;
}

/** The kind of content in the link's hint. */
function describeHint(hint: LinkHint): string {
  if (hint.files === 0) return PAGE.text;
  return hint.hasText ? open.both(hint.files) : open.files(hint.files);
}
