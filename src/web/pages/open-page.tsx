import { ClientError } from "../../client/errors.ts";
import { findSecret, getSecret } from "../../client/secrets.ts";
import type { Secret } from "../../contract/secrets.ts";
import { LARGE_VERSION } from "../../contract/states.ts";
import { deriveSecretLinkKeys, parseSecretLink } from "../../crypto/secret-links.ts";
import { adoptClaim, holdEnvelope, readEnvelope, renewKey } from "../browser/fragments.ts";
import type { MadeClaim } from "../browser/fragments.ts";
import { takeLink } from "../browser/links.ts";
import { findClaimElsewhere, mayHaveFiles } from "../browser/opened-here.ts";
import { prepareWorker } from "../browser/workers.ts";
import { useLoading } from "../frame/loading.tsx";
import type { Notice } from "../frame/notices.ts";
import { describeEnd, describeErased, describeMissing, OpenedElsewhere, withOutcome } from "../opening/endings.tsx";
import { claim, decrypt, describeOpened, isPassphraseMissing, WHOLE } from "../opening/links.ts";
import type { HeldClaim, OpenLink } from "../opening/links.ts";
import { ReadyScreen } from "../opening/ready-screen.tsx";
import { describeFault } from "../parts/failures.ts";
import { describeOpening } from "../parts/opening-failures.ts";
import { LaterPart } from "../proving/later-part.tsx";
import { claimLink } from "../service/claims.ts";
import { createLinkClient } from "../service/link-clients.ts";
import { OpenedScreen } from "../viewing/opened-screen.tsx";
import type { OpenedSecret } from "../viewing/opened-screen.tsx";

/** The longest wait for the facts about an envelope that is here already. */
const PATIENCE_MS = 2000;

type State =
  /** `claimed` is set when this tab has claimed the secret already. */
  | {
      readonly kind: "ready";
      readonly link: OpenLink;
      /** The secret; undefined when the envelope is here and the server does not answer. */
      readonly secret: Secret | undefined;
      readonly claimed?: HeldClaim;
    }
  /** The secret may not fit into memory. `isBegun` is true when this tab has claimed it. */
  | { readonly kind: "large"; readonly link: OpenLink; readonly secret: Secret; readonly isBegun: boolean }
  | { readonly kind: "opened"; readonly secret: OpenedSecret }
  /** Another tab of this browser has claimed the secret, and can still repeat the claim. */
  | { readonly kind: "elsewhere"; readonly id: string; readonly claim: MadeClaim };

/** `/s/{id}`: a recipient opens a secret. It claims only on click. */
export function OpenPage({ id }: { readonly id: string }) {
  const { state, screen, setState, reload } = useLoading<State>(id, begin, (error) =>
    withOutcome(id, describeOpening(error)),
  );
  if (!state) return screen;
  const ends = {
    onEnded: setState,
    onElsewhere: (made: MadeClaim) => setState({ kind: "elsewhere", id, claim: made }),
  };
  const onErased = (left: number | null) => setState(describeErased(left));
  switch (state.kind) {
    case "ready":
      return (
        <ReadyScreen {...ends} start={state} way={WHOLE} onOpened={(secret) => setState({ kind: "opened", secret })} />
      );
    case "large":
      return (
        <LaterPart
          load={() => import("../opening/large-opening.tsx")}
          show={(part) => <part.LargeOpening {...ends} start={state} onErased={onErased} />}
        />
      );
    case "opened":
      return <OpenedScreen secret={state.secret} onErased={() => onErased(state.secret.left)} />;
    case "elsewhere":
      return (
        <OpenedElsewhere
          id={id}
          until={state.claim.until}
          onAgain={() => {
            adoptClaim(id, state.claim);
            reload();
          }}
          onOver={reload}
        />
      );
  }
}

const removeLeftFiles = async () => (await import("../large/opened-files.ts")).dropLeftFolders();

/** Reads the link and the state of the secret. Repeats a claim that this tab has made before. */
async function begin(id: string): Promise<State | Notice> {
  if (mayHaveFiles()) void removeLeftFiles().catch(() => undefined);
  const taken = takeLink(id, parseSecretLink);
  if (taken === undefined) return describeMissing(id);
  if (typeof taken === "string") return describeFault(taken);
  const { kept } = taken;
  const { seed, baseUrl, needsPassphrase, hint } = taken.link;
  const { claimToken, agePassphrase } = await deriveSecretLinkKeys(seed);
  const connect: OpenLink["connect"] = (options) => createLinkClient(baseUrl, claimToken, options);
  const client = connect({});
  const link = { client, connect, id, agePassphrase, needsPassphrase, hint, idempotencyKey: kept.idempotencyKey };
  // A hint is only what the link says: other content is opened all the same.
  prepareWorker(hint === undefined || hint.files > 0);
  const envelope = await readEnvelope(kept);
  if (envelope) {
    // Decrypting needs no server.
    const known = await findSecret(connect({ signal: AbortSignal.timeout(PATIENCE_MS) }), id);
    return show(link, known, { envelope, left: known ? leftOf(known) : null, isKept: true });
  }
  const secret = await getSecret(client, id);
  const isOwn = kept.until !== null || kept.sentAt !== undefined;
  const elsewhere = isOwn ? undefined : await findClaimElsewhere(id);
  if (elsewhere) return { kind: "elsewhere", id, claim: elsewhere };
  if (secret.envelope_version === LARGE_VERSION) {
    if (!isOwn && secret.state !== "available") return describeEnd(id, secret, undefined);
    return { kind: "large", link, secret, isBegun: kept.until !== null || secret.state !== "available" };
  }
  if (kept.until === null && secret.state === "available") return { kind: "ready", link, secret };
  try {
    // Covers a lost answer too: then only the server knows that the claim was made.
    const claimed = await claim(link, claimLink);
    return await show(link, secret, { ...claimed, isKept: false });
  } catch (error) {
    if (!(error instanceof ClientError) || error.kind !== "gone") throw error;
    if (secret.state === "available") {
      renewKey(id);
      return begin(id);
    }
    return describeEnd(id, secret, kept.until === null ? kept.sentAt : undefined);
  }
}

/** The number of times that a link can still be opened. */
function leftOf({ state, max_claims: most, claims }: Secret): number {
  return state === "available" ? most - claims : 0;
}

/** The state after a repeated claim. An envelope without a passphrase is decrypted, whatever the link says. */
async function show(link: OpenLink, secret: Secret | undefined, claimed: HeldClaim): Promise<State> {
  try {
    if (!link.needsPassphrase) {
      const content = await decrypt(link, claimed.envelope, undefined);
      return { kind: "opened", secret: describeOpened(link, { content, secret, left: claimed.left }) };
    }
  } catch (error) {
    if (!isPassphraseMissing(error)) throw error;
  }
  const isKept = claimed.isKept || (await holdEnvelope(link.id, claimed.envelope));
  return { kind: "ready", link: { ...link, needsPassphrase: true }, secret, claimed: { ...claimed, isKept } };
}
