import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from "jose";
import type { CryptoKey } from "jose";

type Claims = Readonly<Record<string, unknown>>;

/** How a provider deviates from what it should do. */
export interface Deviations {
  /** Members of the discovery document. */
  readonly document?: Readonly<Record<string, unknown>>;
  /** Claims of the ID token; one that is undefined is left out. */
  readonly claims?: Claims;
  readonly alg?: "none" | "HS256" | "RS256";
  /** Signs with a key that isn't published. */
  readonly isForged?: boolean;
  /** Answers at a path, such as `/token`. */
  readonly answers?: Readonly<Record<string, () => Response | Promise<Response>>>;
}

const SECONDS = 1000;

/** A provider that answers as `deviate` said last; as it should until then. */
export interface HostileProvider extends AsyncDisposable {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  deviate(deviations: Deviations): void;
  /** Publishes another key, and signs with it from then on. */
  rotate(): Promise<void>;
  /** The query with which the provider sends a browser back that came with `url`. */
  authorize(url: string): string;
  /** A logout token with these claims beside the usual ones. */
  logoutToken(claims?: Claims, isForged?: boolean): Promise<string>;
  /** How often a path was called. */
  count(path: string): number;
}

export async function startHostileProvider(): Promise<HostileProvider> {
  const clientId = "handoff";
  const clientSecret = "a client secret of enough bytes for HMAC";
  let deviations: Deviations = {};
  let generation = 0;
  let key = await newKey("key-0");
  const other = await newKey("key-0");
  const nonces = new Map<string, string>();
  const calls = new Map<string, number>();
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request): Promise<Response> {
      const { pathname } = new URL(request.url);
      calls.set(pathname, (calls.get(pathname) ?? 0) + 1);
      const deviation = deviations.answers?.[pathname];
      if (deviation) return deviation();
      if (pathname === "/.well-known/openid-configuration")
        return Response.json({ ...documentOf(), ...deviations.document });
      if (pathname === "/jwks") return Response.json({ keys: [key.jwk] });
      if (pathname !== "/token") return new Response("", { status: 404 });
      const code = new URLSearchParams(await request.text()).get("code") ?? "";
      const nonce = nonces.get(code);
      if (nonce === undefined) return Response.json({ error: "invalid_grant" }, { status: 400 });
      nonces.delete(code);
      const idToken = await sign({
        ...usual(),
        nonce,
        email: "ann@acme.example",
        email_verified: true,
        ...deviations.claims,
      });
      return Response.json({ access_token: "access", token_type: "Bearer", id_token: idToken });
    },
  });
  const issuer: string = `http://127.0.0.1:${server.port}`;
  const documentOf = () => ({
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ["code"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["RS256", "HS256", "none"],
    code_challenge_methods_supported: ["S256"],
  });
  const usual = () => {
    const now = Math.floor(Date.now() / SECONDS);
    return { iss: issuer, aud: clientId, sub: "1", sid: "session-1", iat: now, exp: now + 60 };
  };
  const sign = (claims: Claims): Promise<string> => {
    const { alg = "RS256", isForged = false } = deviations;
    if (alg === "none") return Promise.resolve(new UnsecuredJWT(claims).encode());
    const header = { alg, kid: key.jwk.kid };
    const token = new SignJWT(claims).setProtectedHeader(header);
    if (alg === "HS256") return token.sign(new TextEncoder().encode(clientSecret));
    return token.sign(isForged ? other.privateKey : key.privateKey);
  };
  return {
    issuer,
    clientId,
    clientSecret,
    deviate: (given) => void (deviations = given),
    async rotate() {
      generation += 1;
      key = await newKey(`key-${generation}`);
    },
    authorize(url) {
      const { searchParams } = new URL(url);
      const code = crypto.randomUUID();
      nonces.set(code, searchParams.get("nonce") ?? "");
      return new URLSearchParams({ code, state: searchParams.get("state") ?? "" }).toString();
    },
    logoutToken(claims = {}, isForged = false) {
      const events = { "http://schemas.openid.net/event/backchannel-logout": {} };
      const all = { ...usual(), jti: crypto.randomUUID(), events, ...claims };
      const token = new SignJWT(all).setProtectedHeader({ alg: "RS256", kid: key.jwk.kid, typ: "logout+jwt" });
      return token.sign(isForged ? other.privateKey : key.privateKey);
    },
    count: (path) => calls.get(path) ?? 0,
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

async function newKey(
  kid: string,
): Promise<{ readonly privateKey: CryptoKey; readonly jwk: { readonly kid: string } }> {
  const { publicKey, privateKey } = await generateKeyPair("RS256");
  return { privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: "RS256", use: "sig" } as { kid: string } };
}
