import type { SignInWay } from "../contract/states.ts";
import { isAddress } from "./names.ts";
import type { IdentityRecord } from "./ports/identities.ts";
import type { SignInDomain } from "./ports/mails.ts";

/** The admin's settings for secrets and callers. Sizes in bytes, durations in seconds. */
export interface ServerPolicy {
  readonly maxCiphertextBytes: number;
  /** The largest ciphertext that is uploaded in pieces; 0 where none is. */
  readonly maxSecretBytes: number;
  readonly defaultTtlSeconds: number;
  readonly maxTtlSeconds: number;
  /** The lifetimes that clients offer to choose from; null leaves that to them. */
  readonly expiresChoices: readonly number[] | null;
  readonly defaultMaxClaims: number;
  readonly maxClaims: number;
  readonly teamQuotaBytes: number;
  readonly replayWindowSeconds: number;
  readonly tombstoneSeconds: number;
  readonly callsPerSecond: number;
  readonly callBurst: number;
  readonly failedAuthenticationsPerMinute: number;
  readonly waitingCalls: number;
  /** True when only ciphertexts in the shape of an age file are accepted. */
  readonly requireEncrypted: boolean;
  /** True when holders of a link see the person who sent the secret or asks for one. */
  readonly showSenders: boolean;
  /** The ways in which people may sign in. */
  readonly signInWays: readonly SignInWay[];
  /** How long a session lasts after a provider of single sign-on has confirmed its person. */
  readonly oidcRecheckSeconds: number;
  /** The domains whose addresses may sign in by mail without being added. */
  readonly signInDomains: readonly SignInDomain[];
  /** True when the server sends mails. */
  readonly sendsMails: boolean;
  /** How long a session of the page lasts. */
  readonly sessionLifetimeSeconds: number;
  /** How long a session of the page lasts unused. */
  readonly sessionIdleSeconds: number;
}

/** True when this server can have somebody prove an address. */
export function provesAddresses({ sendsMails, signInWays }: Pick<ServerPolicy, "sendsMails" | "signInWays">): boolean {
  return sendsMails || signInWays.includes("oidc");
}

/** True when mails can be sent to a person, whose name may be no address. */
export function canBeMailed({ sendsMails }: Pick<ServerPolicy, "sendsMails">, { name }: Pick<IdentityRecord, "name">) {
  return sendsMails && name.includes("@") && isAddress(name);
}
