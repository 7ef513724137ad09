import type { Settings } from "../../config/settings.ts";
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
    const faults = (await provider?.findFaults(`${baseUrl}${RETURN_PATH}`)) ?? [];
    if (faults.length === 0) return [fine(CHECK, `${issuer} answers. ${entered}.`)];
    return [failed(CHECK, `${issuer} can't be used. ${faults.join(" ")} ${entered}.`)];
  } catch (error) {
    return [failed(CHECK, sentenceOf(error))];
  }
}
