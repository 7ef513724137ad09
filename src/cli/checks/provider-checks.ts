import type { Settings } from "../../config/settings.ts";
import { RETURN_PATH } from "../../http/resources/provider-places.ts";
import { readSingleSignOn } from "../server/single-sign-on.ts";
import { failed, fine, sentenceOf, warning } from "./findings.ts";
import type { Finding } from "./findings.ts";

const CHECK = "single sign-on";
/** Stands for a URL that only the server knows. A provider says of a code that nobody has nothing about its URI. */
const UNKNOWN_URL = "http://localhost";

/** Reports whether the provider of single sign-on can be reached and used, and what to enter there. */
export async function checkProvider(settings: Settings): Promise<Finding[]> {
  const { oidcIssuer: issuer, baseUrl, signIn } = settings;
  if (issuer === undefined) return [];
  if (!signIn.split(",").includes("oidc")) return [warning(CHECK, "--sign-in leaves 'oidc' out: nobody can use it.")];
  try {
    const provider = await readSingleSignOn(settings)?.provider();
    const faults = (await provider?.findFaults(`${baseUrl ?? UNKNOWN_URL}${RETURN_PATH}`)) ?? [];
    if (faults.length > 0) return [failed(CHECK, `${issuer} can't be used. ${faults.join(" ")} ${toEnter(baseUrl)}`)];
    return [(baseUrl === undefined ? warning : fine)(CHECK, `${issuer} answers. ${toEnter(baseUrl)}`)];
  } catch (error) {
    return [failed(CHECK, sentenceOf(error))];
  }
}

function toEnter(baseUrl: string | undefined): string {
  const redirect = "At the provider, the redirect URI of this server has to be";
  if (baseUrl !== undefined) return `${redirect} ${baseUrl}${RETURN_PATH}.`;
  return `${redirect} the 'url' in the line 'listening' of its log, with ${RETURN_PATH} behind it: browsers elsewhere may not reach that. Give --base-url.`;
}
