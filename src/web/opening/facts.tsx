import type { Secret } from "../../contract/secrets.ts";
import type { LinkHint } from "../../crypto/link-hints.ts";
import { Icon } from "../frame/icon.tsx";
import type { IconName } from "../frame/icon.tsx";
import { describeSize, formatWhen } from "../parts/formats.ts";
import { STRINGS } from "../strings.ts";
import type { OpenLink } from "./links.ts";

const { open } = STRINGS;

/** The known facts about a secret before it is opened, and the consequences of opening it. */
export function Facts({ secret, link }: { readonly secret: Secret; readonly link: OpenLink }) {
  const { max_claims: most, claims, expires_at: expiresAt } = secret;
  const left = most - claims;
  const { icon, kind } = describeHint(link.hint);
  const size = describeSize(secret.ciphertext_bytes);
  return (
    <ul class="facts">
      {(kind ?? size) !== undefined && (
        <li>
          <Icon name={icon} />
          <span>
            {kind ?? size}
            {kind !== undefined && size !== undefined && <small>{size}</small>}
          </span>
        </li>
      )}
      <li>
        <Icon name="opened" />
        <span>
          {claims === 0 ? open.times(left) : open.moreTimes(left)}
          <small>{left === 1 ? open.lastTime : open.oneOfSeveral}</small>
        </span>
      </li>
      <li>
        <Icon name="waiting" />
        <span>{open.until(formatWhen(expiresAt))}</span>
      </li>
      {link.needsPassphrase && (
        <li>
          <Icon name="key" />
          <span>
            {open.getPassphrase}
            <small>{open.tryAgain}</small>
          </span>
        </li>
      )}
    </ul>
  );
}

/** The kind of content in the link's hint; undefined without a hint. */
function describeHint(hint: LinkHint | undefined): { readonly icon: IconName; readonly kind: string | undefined } {
  if (!hint) return { icon: "file", kind: undefined };
  if (hint.files === 0) return { icon: "text", kind: open.text };
  const icon = hint.files === 1 ? "file" : "files";
  return { icon, kind: hint.hasText ? open.both(hint.files) : open.files(hint.files) };
}
