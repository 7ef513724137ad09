import type { SignInWay } from "../../contract/states.ts";
import type { Authenticators, RelyingParty } from "../../domain/ports/authenticators.ts";
import type { Service } from "../../domain/service.ts";
import { relyingPartyOf } from "../../domain/signing-in/passkeys.ts";
import { Refusal } from "../../domain/values/errors.ts";
import type { HttpOptions } from "../options.ts";

/** The options that passkeys depend on. */
export type PasskeyOptions = Pick<HttpOptions, "authenticators" | "baseUrl" | "brand">;
/** The options that the ways to sign in depend on. */
export type SignInOptions = PasskeyOptions & Pick<HttpOptions, "singleSignOn">;

const PRODUCT = "handoff";

/** The ways to sign in that this server has. */
export function waysToSignIn({ policy }: Service, options: SignInOptions): SignInWay[] {
  const hasPasskeys = options.authenticators !== undefined && partyOf(options) !== undefined;
  const missing = [...(hasPasskeys ? [] : ["passkey"]), ...(options.singleSignOn ? [] : ["oidc"])];
  return policy.signInWays.filter((way) => !missing.includes(way));
}

/** The relying party and what verifies its passkeys. Throws a Refusal `not_found` where there are no passkeys. */
export async function passkeyPlace(
  service: Service,
  options: PasskeyOptions,
): Promise<{ readonly party: RelyingParty; readonly authenticators: Authenticators }> {
  const party = partyOf(options);
  const authenticators = service.policy.signInWays.includes("passkey") ? await options.authenticators?.() : undefined;
  if (!party || !authenticators) throw new Refusal("not_found", { detail: "This server has no passkeys." });
  return { party, authenticators };
}

function partyOf({ baseUrl, brand }: PasskeyOptions): RelyingParty | undefined {
  return relyingPartyOf(baseUrl(), brand?.name ?? PRODUCT);
}
