import type { Service } from "../../domain/service.ts";
import type { ProviderPlace } from "../../domain/signing-in/single-sign-on.ts";
import { Refusal } from "../../domain/values/errors.ts";
import type { HttpOptions } from "../options.ts";

/** The path of the page to which a provider sends browsers back. */
export const RETURN_PATH = "/sign-in";

/** The provider and its rules. Throws a Refusal `not_found` where there is no single sign-on. */
export async function providerPlace(
  { policy }: Service,
  { baseUrl, singleSignOn }: Pick<HttpOptions, "baseUrl" | "singleSignOn">,
): Promise<ProviderPlace> {
  if (!singleSignOn || !policy.signInWays.includes("oidc")) {
    throw new Refusal("not_found", { detail: "This server has no single sign-on." });
  }
  const { provider, rules } = singleSignOn;
  return { provider: await provider(), rules, redirectUri: baseUrl() + RETURN_PATH };
}
