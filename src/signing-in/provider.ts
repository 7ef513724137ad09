import { createRemoteJWKSet, customFetch as jwksFetch, errors, jwtVerify } from "jose";
import type { JWTPayload, JWTVerifyOptions } from "jose";
import * as client from "openid-client";
import type { Provider, ProviderDoubt, ProviderLogout, ProviderProof } from "../domain/ports/providers.ts";
import type { Clock } from "../domain/ports/sources.ts";
import { boundedFetch } from "./bounded-fetches.ts";
import { faultOf, isClientRefusal, providerFault } from "./provider-faults.ts";

/** Where a provider is, and as what it knows this server. */
export interface ProviderOptions {
  readonly issuer: string;
  readonly clientId: string;
  /** Undefined for a public client. */
  readonly clientSecret: string | undefined;
  /** Claims of which this server asks for the scope of the same name, where the provider has one. */
  readonly claims: readonly string[];
  readonly clock: Clock;
}

/** A provider, with what an admin wants to know about it. */
export interface InspectedProvider extends Provider {
  /**
   * What keeps this server from using the provider, in sentences; empty for nothing. Tries a code that nobody has, to
   * which a provider says whether it knows the client.
   */
  findFaults(redirectUri: string): Promise<string[]>;
}

const TIMEOUT_SECONDS = 5;
/** How far the clocks of provider and server may be apart. */
const TOLERANCE_SECONDS = 60;
const DOCUMENT_MS = 60 * 60 * 1000;
const LOGOUT_SECONDS = 120;
const LOGOUT_EVENT = "http://schemas.openid.net/event/backchannel-logout";
const MAX_REMEMBERED = 10_000;
/** No `none`, and no HMAC, for which the client secret would be the key. */
const ALGORITHMS = "RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519".split(" ");
interface Known {
  readonly config: client.Configuration;
  readonly keys: ReturnType<typeof createRemoteJWKSet>;
  readonly readAt: number;
}

/** The provider at `issuer`. It is called on first use, and its document is read again every hour. */
export function createProvider(options: ProviderOptions): InspectedProvider {
  const { clientId, clock } = options;
  let known: Known | undefined;
  let reading: Promise<Known> | undefined;
  // However many ask, a provider that is away is asked once at a time.
  const find = async (): Promise<Known> => {
    if (known && known.readAt + DOCUMENT_MS > clock.now()) return known;
    reading ??= read(options).finally(() => (reading = undefined));
    known = await reading;
    return known;
  };
  const used = new Map<string, number>();
  return {
    async begin({ state, nonce, verifier, isSilent }, redirectUri, choosesAccount) {
      const { config } = await find();
      const { scopes_supported: scopes = [], prompt_values_supported: prompts } = config.serverMetadata();
      const wanted = new Set(["openid", "email", "profile", ...options.claims.filter((each) => scopes.includes(each))]);
      const url = client.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: [...wanted].join(" "),
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256",
        state,
        nonce,
        ...(isSilent ? { prompt: "none" } : choosesAccount ? promptForAccount(prompts) : {}),
      });
      return url.href;
    },
    async redeem(query, { state, nonce, verifier }, redirectUri, wanted) {
      const { config, keys } = await find();
      const address = new URL(redirectUri);
      address.search = query;
      return proofOf(async () => {
        const checks = {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        };
        const tokens = await client.authorizationCodeGrant(config, address, checks).catch(refusalOf);
        const { issuer } = config.serverMetadata();
        const claims = await verify(keys, tokens.id_token ?? "", { issuer, audience: clientId });
        const { sub: subject, sid } = claims;
        if (subject === undefined || subject === "") return { doubt: "The ID token names no account." };
        const more = await findClaims(config, tokens.access_token, subject, claims, wanted);
        return { issuer, subject, sid: typeof sid === "string" ? sid : null, claims: { ...more, ...claims } };
      });
    },
    async carryOutLogout(token, end) {
      const { config, keys } = await find();
      const { issuer } = config.serverMetadata();
      const terms: JWTVerifyOptions = {
        issuer,
        audience: clientId,
        // Not `exp`, which the specification asks for and some providers leave out: the age says as much.
        requiredClaims: ["iat", "jti"],
        maxTokenAge: LOGOUT_SECONDS,
      };
      const claims = await proofOf(async () => checked(keys, token, terms));
      if (isDoubt(claims)) return false;
      const logout = logoutOf(claims, issuer);
      const { jti = "", iat = 0 } = claims;
      const now = Date.now();
      for (const [id, until] of used) if (until <= now || used.size > MAX_REMEMBERED) used.delete(id);
      if (!logout || used.has(jti)) return false;
      await end(logout);
      used.set(jti, (iat + LOGOUT_SECONDS + TOLERANCE_SECONDS) * 1000);
      return true;
    },
    async findFaults(redirectUri) {
      try {
        const found = await find();
        await found.keys.reload();
        return [...findLacks(found), ...(await findRefusal(found, redirectUri))];
      } catch (error) {
        return [faultOf(error, false).reason];
      }
    },
  };
}

/** How a provider is asked to let the person choose an account. One may refuse what its document doesn't list. */
function promptForAccount(prompts: unknown): { prompt?: string } {
  if (!Array.isArray(prompts)) return { prompt: "select_account" };
  const prompt = ["select_account", "login"].find((each) => prompts.includes(each));
  return prompt === undefined ? {} : { prompt };
}

/** Reads the provider's document. Rejects with a ProviderFault. */
async function read({ issuer, clientId, clientSecret, clock }: ProviderOptions): Promise<Known> {
  const url = new URL(issuer);
  const isPlain = url.protocol === "http:";
  try {
    const config = await client.discovery(
      url,
      clientId,
      { [client.clockTolerance]: TOLERANCE_SECONDS },
      authBy(clientSecret),
      {
        timeout: TIMEOUT_SECONDS,
        [client.customFetch]: boundedFetch,
        ...(isPlain ? { execute: [client.allowInsecureRequests] } : {}),
      },
    );
    const { issuer: named, jwks_uri: keysUri = "" } = config.serverMetadata();
    // The library lets the one of Entra ID call itself otherwise.
    if (new URL(named).href !== url.href) throw providerFault("OTHER_ISSUER");
    const keysUrl = URL.parse(keysUri);
    if (!keysUrl || (keysUrl.protocol !== "https:" && !isPlain)) throw providerFault("NO_KEYS");
    const keys = createRemoteJWKSet(keysUrl, {
      timeoutDuration: TIMEOUT_SECONDS * 1000,
      [jwksFetch]: (address, init) => boundedFetch(address, init),
    });
    return { config, keys, readAt: clock.now() };
  } catch (error) {
    throw faultOf(error, false);
  }
}

/** What the provider lacks of what this server needs, in sentences. */
function findLacks({ config, keys }: Known): string[] {
  const metadata = config.serverMetadata();
  const lacks = (values: readonly string[] | undefined, value: string) => values && !values.includes(value);
  return [
    ...(lacks(metadata.response_types_supported, "code") ? ["The provider has no authorization code flow."] : []),
    ...(lacks(metadata.code_challenge_methods_supported, "S256")
      ? ["The provider doesn't support PKCE with S256."]
      : []),
    ...(keys.jwks()?.keys.length === 0 ? ["The provider publishes no keys."] : []),
  ];
}

/** Whether the provider refuses the client. What else it says to a code that nobody has is of no interest. */
async function findRefusal({ config }: Known, redirectUri: string): Promise<string[]> {
  const code = client.randomState();
  const grant = { code, redirect_uri: redirectUri, code_verifier: client.randomPKCECodeVerifier() };
  try {
    await client.genericGrantRequest(config, "authorization_code", grant);
  } catch (error) {
    if (isClientRefusal(error)) return [providerFault("CLIENT_REFUSED").reason];
  }
  return [];
}

/** Throws the fault of a client that the provider refuses, and every other error as it is. */
function refusalOf(error: unknown): never {
  throw isClientRefusal(error) ? providerFault("CLIENT_REFUSED") : error;
}

/** The secret goes to the provider in the first way that it has. */
function authBy(secret: string | undefined): client.ClientAuth {
  if (secret === undefined) return client.None();
  const [basic, post] = [client.ClientSecretBasic(secret), client.ClientSecretPost(secret)];
  return (as, ...rest) => {
    const { token_endpoint_auth_methods_supported: ways = ["client_secret_basic"] } = as;
    (ways.includes("client_secret_basic") ? basic : post)(as, ...rest);
  };
}

/** Verifies a token. Reads the keys once more when its own isn't among them: providers change theirs. */
async function verify(keys: Known["keys"], token: string, options: JWTVerifyOptions): Promise<JWTPayload> {
  try {
    return await checked(keys, token, options);
  } catch (error) {
    if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
    await keys.reload();
    return checked(keys, token, options);
  }
}

async function checked(keys: Known["keys"], token: string, options: JWTVerifyOptions): Promise<JWTPayload> {
  const terms = { algorithms: ALGORITHMS, clockTolerance: TOLERANCE_SECONDS };
  return (await jwtVerify(token, keys, { ...options, ...terms })).payload;
}

/** Claims that the ID token leaves out, from the provider's other answer. */
async function findClaims(
  config: client.Configuration,
  accessToken: string,
  subject: string,
  claims: JWTPayload,
  wanted: readonly string[],
): Promise<ProviderProof["claims"]> {
  if (config.serverMetadata().userinfo_endpoint === undefined) return {};
  if (wanted.every((claim) => Object.hasOwn(claims, claim))) return {};
  return client.fetchUserInfo(config, accessToken, subject);
}

/** What the claims of a logout token end (Back-Channel Logout 1.0, section 2.6). */
function logoutOf(claims: JWTPayload, issuer: string): ProviderLogout | undefined {
  const { events, nonce, sub: subject, sid } = claims;
  const isEvent = typeof events === "object" && events !== null && Object.hasOwn(events, LOGOUT_EVENT);
  const isNamed = (subject !== undefined && subject !== "") || (typeof sid === "string" && sid !== "");
  if (!isEvent || nonce !== undefined || !isNamed) return undefined;
  if (sid !== undefined && typeof sid !== "string") return undefined;
  return { issuer, subject, sid };
}

/** Resolves a doubt for what proves nothing. Rejects with a ProviderFault when the provider is at fault. */
async function proofOf<T>(work: () => Promise<T>): Promise<T | ProviderDoubt> {
  try {
    return await work();
  } catch (error) {
    const fault = faultOf(error);
    if (fault.isOfProof) return { doubt: fault.reason };
    throw fault;
  }
}

function isDoubt(value: JWTPayload | ProviderDoubt): value is ProviderDoubt {
  return typeof value["doubt"] === "string";
}
