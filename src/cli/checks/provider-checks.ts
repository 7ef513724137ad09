import type { Settings } from "../../config/settings.ts";
import { codeOf } from "../../contract/error-traces.ts";
import { RETURN_PATH } from "../../http/resources/provider-places.ts";
import { readSingleSignOn } from "../server/single-sign-on.ts";
import { failed, fine, sentenceOf, warning } from "./findings.ts";
import type { Finding } from "./findings.ts";

const CHECK = "single sign-on";

/** Reports whether the provider of single sign-on can be reached and used, and what to enter there. */
export async function checkProvider(settings: Settings): Promise<Finding[]> {
  const { oidcIssuer: issuer, baseUrl, signIn } = settings;
  if (issuer === undefined) return [];
  if (!signIn.split(",").includes("oidc")) return [warning(CHECK, "--sign-in leaves 'oidc' out: nobody can use it.")];
  if (baseUrl === undefined) return [failed(CHECK, "Give --base-url: the provider sends people back to it.")];
  const entered = `At the provider, the redirect URI of this server has to be ${baseUrl}${RETURN_PATH}`;
  try {
    const provider = await readSingleSignOn(settings)?.provider();
    const faults = (await provider?.findFaults()) ?? [];
    if (faults.length > 0) return [failed(CHECK, `${issuer} can't be used. ${faults.join(" ")}`)];
    return [fine(CHECK, `${issuer} answers. ${entered}.`)];
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) return [failed(CHECK, sentenceOf(error))];
    return [failed(CHECK, `${describe(issuer, code)} ${entered}.`)];
  }
}

function describe(issuer: string, code: string): string {
  switch (code) {
    case "OTHER_ISSUER":
    case "OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED":
      return `The provider at ${issuer} calls itself otherwise: give --oidc-issuer exactly as it does.`;
    case "TIMEOUT":
    case "UNREACHABLE":
      return `Can't reach ${issuer}: people can't sign in there until this server can.`;
    default:
      return `${issuer} doesn't answer as a provider of OpenID Connect does (${code}): check --oidc-issuer.`;
  }
}
