import type { Secret } from "../../contract/secrets.ts";
import type { LinkHint } from "../../crypto/link-hints.ts";
import type { IconName } from "../frame/icon.tsx";
import { Fact } from "../parts/fact.tsx";
import { describeSize, formatWhen } from "../parts/formats.ts";
import { OPENING } from "../texts/opening.ts";
import { PAGE } from "../texts/page.ts";
import type { OpenLink } from "./links.ts";

const { open } = OPENING;

/** The known facts about a secret before it is opened, and the consequences of opening it. */
export function Facts({ secret, link }: { readonly secret: Secret; readonly link: OpenLink }) {
  const { max_claims: most, claims, expires_at: expiresAt } = secret;
  const left = most - claims;
  const { icon, kind } = describeHint(link.hint);
  const size = describeSize(secret.ciphertext_bytes);
  return (
    <ul class="facts">
      {(kind ?? size) !== undefined && (
        <Fact icon={icon} meaning={kind === undefined ? undefined : size}>
          {kind ?? size}
        </Fact>
      )}
      <Fact icon="opened" meaning={left === 1 ? open.lastTime : open.oneOfSeveral}>
        {claims === 0 ? open.times(left) : open.moreTimes(left)}
      </Fact>
      <Fact icon="waiting">{open.until(formatWhen(expiresAt))}</Fact>
      {link.needsPassphrase && (
        <Fact icon="key" meaning={open.tryAgain}>
          {open.getPassphrase}
        </Fact>
      )}
    </ul>
  );
}

/** The kind of content in the link's hint; undefined without a hint. */
function describeHint(hint: LinkHint | undefined): { readonly icon: IconName; readonly kind: string | undefined } {
  if (!hint) return { icon: "file", kind: undefined };
  if (hint.files === 0) return { icon: "text", kind: PAGE.text };
  const icon = hint.files === 1 ? "file" : "files";
  return { icon, kind: hint.hasText ? open.both(hint.files) : open.files(hint.files) };
}
