import { readSecretLine } from "../../config/secret-files.ts";
import type { Settings } from "../../config/settings.ts";
import { systemClock } from "../../domain/values/clocks.ts";
import type { SingleSignOnOptions } from "../../http/options.ts";
import type { InspectedProvider } from "../../signing-in/provider.ts";

/** Single sign-on as the settings have it, with what `admin check` looks at. */
export interface SingleSignOn extends SingleSignOnOptions {
  readonly provider: () => Promise<InspectedProvider>;
}

/** Reads the settings of single sign-on, and calls nobody; undefined where there is none. Throws SettingsError. */
export function readSingleSignOn(settings: Settings): SingleSignOn | undefined {
  const { oidcIssuer: issuer, oidcClientId: clientId, oidcClientSecretFile: file } = settings;
  if (issuer === undefined || clientId === undefined) return undefined;
  const what = { what: "the secret for the provider", short: "the secret", risk: "a secret" } as const;
  const clientSecret = file === undefined ? undefined : readSecretLine(file, what);
  const allow = settings.oidcAllow.map((rule) => {
    const at = rule.indexOf("=");
    return { claim: rule.slice(0, at), value: rule.slice(at + 1) };
  });
  const rules = { allow, addressClaim: settings.oidcAddressClaim, team: settings.oidcTeam };
  const claims = allow.map(({ claim }) => claim);
  let loaded: Promise<InspectedProvider> | undefined;
  const load = async () =>
    (await import("../../signing-in/provider.ts")).createProvider({
      issuer,
      clientId,
      clientSecret,
      claims,
      clock: systemClock,
    });
  return { rules, provider: () => (loaded ??= load()) };
}
