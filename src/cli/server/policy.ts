import type { Settings } from "../../config/settings.ts";
import { SIGN_IN_WAYS } from "../../contract/states.ts";
import type { SignInWay } from "../../contract/states.ts";
import type { SignInDomain } from "../../domain/ports/mails.ts";
import { provesAddresses } from "../../domain/server-policies.ts";
import type { ServerPolicy } from "../../domain/server-policies.ts";

export type SignInSettings = Pick<Settings, "signIn" | "mailFrom" | "oidcIssuer">;

/** The server's policy according to its settings. */
export function toServerPolicy(settings: Settings): ServerPolicy {
  return {
    maxCiphertextBytes: settings.maxCiphertext,
    maxSecretBytes: settings.maxSecret,
    defaultTtlSeconds: settings.defaultExpires,
    maxTtlSeconds: settings.maxExpires,
    expiresChoices: settings.expiresChoices ?? null,
    defaultMaxClaims: settings.defaultClaims,
    maxClaims: settings.maxClaims,
    teamQuotaBytes: settings.teamQuota,
    replayWindowSeconds: settings.replayWindow,
    tombstoneSeconds: settings.tombstones,
    callsPerSecond: settings.callsPerSecond,
    callBurst: settings.callBurst,
    failedAuthenticationsPerMinute: settings.failedAuthentications,
    waitingCalls: settings.waitingCalls,
    requireEncrypted: settings.requireEncrypted,
    showSenders: settings.showSenders,
    signInWays: toSignInWays(settings),
    oidcRecheckSeconds: settings.oidcRecheck,
    signInDomains: toSignInDomains(settings),
    sendsMails: settings.mailFrom !== undefined,
    sessionLifetimeSeconds: settings.sessionLifetime,
    sessionIdleSeconds: settings.sessionIdle,
  };
}

/** The ways to sign in that the settings allow and equip. A link always works, so that nobody is locked out. */
function toSignInWays({ signIn, mailFrom, oidcIssuer }: SignInSettings): SignInWay[] {
  const isEquipped = { link: true, passkey: true, oidc: oidcIssuer !== undefined, mail: mailFrom !== undefined };
  return SIGN_IN_WAYS.filter((way) => way === "link" || (signIn.split(",").includes(way) && isEquipped[way]));
}

/** True when a server with these settings can have somebody prove an address. */
export function canProveAddresses(settings: SignInSettings): boolean {
  return provesAddresses({ sendsMails: settings.mailFrom !== undefined, signInWays: toSignInWays(settings) });
}

/** The domains whose people need not be added. */
export function toSignInDomains({ signInDomain }: Pick<Settings, "signInDomain">): SignInDomain[] {
  return signInDomain.map((each) => {
    const at = each.indexOf("=");
    return { domain: each.slice(0, at), team: each.slice(at + 1) };
  });
}
