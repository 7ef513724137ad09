import { createHash, createPublicKey, verify } from "node:crypto";
import type { webcrypto } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** An authority that gives certificates by ACME (RFC 8555), for names that answer at one port of this machine. */
export interface AcmeDirectory {
  readonly url: string;
  /** The certificate that vouches for those it gives, as PEM. */
  readonly ca: string;
  /** How many certificates it has given. */
  readonly given: () => number;
  /** The addresses of the accounts. */
  readonly contacts: readonly string[];
  /** The days that new certificates last. */
  days: number;
  /** True while it refuses every order. */
  isRefusing: boolean;
  /** The Retry-After with which it puts every order off; undefined for none. */
  retryAfter: string | undefined;
  /** Forgets all accounts. */
  forget(): void;
  [Symbol.dispose](): void;
}

type Json = Record<string, unknown>;

function openssl(...args: readonly string[]): string {
  const { success, stdout, stderr } = Bun.spawnSync(["openssl", ...args]);
  if (!success) throw new Error(`openssl: ${stderr.toString()}`);
  return stdout.toString();
}

/** Starts one that keeps its files in `folder`, and checks names over HTTP at `challengePort` of this machine. */
export function startAcmeDirectory(folder: string, challengePort: () => number): AcmeDirectory {
  const at = (name: string) => join(folder, name);
  const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  openssl("req", "-x509", ...newKey, "-subj", "/CN=an authority", "-keyout", at("ca.key"), "-out", at("ca.pem"));
  const keys = new Map<string, webcrypto.JsonWebKey>();
  const contacts: string[] = [];
  let names: string[] = [];
  let isValid = false;
  let isIssued = false;
  let given = 0;
  const directory = { days: 90, isRefusing: false, retryAfter: undefined as string | undefined };

  /** The payload of a signed request (RFC 7515), and the key that signed it. Throws an Error for a wrong signature. */
  function open(text: string): { readonly payload: Json; readonly key: webcrypto.JsonWebKey } {
    const jws = JSON.parse(text);
    const header = JSON.parse(Buffer.from(jws.protected, "base64url").toString());
    const key: webcrypto.JsonWebKey = header.jwk ?? keys.get(header.kid);
    const signed = Buffer.from(`${jws.protected}.${jws.payload}`);
    const publicKey = { key: createPublicKey({ key, format: "jwk" }), dsaEncoding: "ieee-p1363" } as const;
    if (!verify("sha256", signed, publicKey, Buffer.from(jws.signature, "base64url")))
      throw new Error("wrong signature");
    return { payload: JSON.parse(Buffer.from(jws.payload, "base64url").toString() || "{}"), key };
  }

  /** RFC 7638. */
  const thumbprintOf = ({ crv, kty, x, y }: webcrypto.JsonWebKey) =>
    createHash("sha256").update(JSON.stringify({ crv, kty, x, y })).digest("base64url");

  async function check(name: string, key: webcrypto.JsonWebKey): Promise<boolean> {
    const token = `token-of-twenty-two-and-${name.replaceAll(".", "-")}`;
    const answer = await fetch(`http://127.0.0.1:${challengePort()}/.well-known/acme-challenge/${token}`, {
      headers: { host: name },
    });
    return (await answer.text()).trim() === `${token}.${thumbprintOf(key)}`;
  }

  function issue(csr: string): void {
    writeFileSync(at("csr.der"), Buffer.from(csr, "base64url"));
    const authority = ["-CA", at("ca.pem"), "-CAkey", at("ca.key"), "-CAcreateserial"];
    const form = ["-in", at("csr.der"), "-inform", "DER", "-copy_extensions", "copy", "-days", String(directory.days)];
    openssl("x509", "-req", ...form, ...authority, "-out", at("cert.pem"));
    isIssued = true;
    given++;
  }

  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const { origin, pathname } = new URL(request.url);
      const reply = (body: unknown, status = 200, headers: Record<string, string> = {}) =>
        Response.json(body, { status, headers: { "replay-nonce": crypto.randomUUID(), ...headers } });
      const [, kind = "", name = ""] = pathname.split("/");
      if (kind === "directory") {
        const paths = ["newNonce", "newAccount", "newOrder", "revokeCert", "keyChange"];
        return reply(Object.fromEntries(paths.map((path) => [path, `${origin}/${path}`])));
      }
      if (kind === "newNonce") return reply(null);
      const text = await request.text();
      const { kid } = JSON.parse(Buffer.from(JSON.parse(text).protected, "base64url").toString());
      if (kid !== undefined && !keys.has(kid)) {
        return reply(
          { type: "urn:ietf:params:acme:error:accountDoesNotExist", detail: "There is no such account" },
          400,
        );
      }
      const { payload, key } = open(text);
      const orderOf = () => ({
        status: isIssued ? "valid" : isValid ? "ready" : "pending",
        identifiers: names.map((value) => ({ type: "dns", value })),
        authorizations: names.map((each) => `${origin}/authz/${each}`),
        finalize: `${origin}/finalize`,
        certificate: `${origin}/certificate`,
      });
      const challengeOf = (each: string) => ({
        type: "http-01",
        status: isValid ? "valid" : "pending",
        url: `${origin}/challenge/${each}`,
        token: `token-of-twenty-two-and-${each.replaceAll(".", "-")}`,
      });
      const location = { location: `${origin}/order` };
      switch (kind) {
        case "newAccount": {
          const account = `${origin}/account/${thumbprintOf(key)}`;
          const isNew = !keys.has(account);
          keys.set(account, key);
          if (isNew) contacts.push(...((payload["contact"] ?? []) as string[]));
          return reply({ status: "valid" }, isNew ? 201 : 200, { location: account });
        }
        case "account":
          return reply({ status: "valid" });
        case "newOrder":
          if (directory.isRefusing) {
            const type = "urn:ietf:params:acme:error:rejectedIdentifier";
            return reply({ type, detail: "The authority refuses this name" }, 403);
          }
          if (directory.retryAfter !== undefined) {
            const type = "urn:ietf:params:acme:error:rateLimited";
            return reply({ type, detail: "Too many orders" }, 429, { "retry-after": directory.retryAfter });
          }
          names = (payload["identifiers"] as { value: string }[]).map(({ value }) => value);
          isValid = isIssued = false;
          return reply(orderOf(), 201, location);
        case "order":
          return reply(orderOf(), 200, location);
        case "authz":
          return reply({
            status: isValid ? "valid" : "pending",
            identifier: { type: "dns", value: name },
            challenges: [challengeOf(name)],
          });
        case "challenge":
          isValid = await check(name, key);
          return reply({ ...challengeOf(name), status: isValid ? "valid" : "invalid" });
        case "finalize":
          issue(String(payload["csr"]));
          return reply(orderOf(), 200, location);
        case "certificate":
          return new Response(Bun.file(at("cert.pem")), { headers: { "replay-nonce": crypto.randomUUID() } });
        default:
          return reply({ detail: "There is nothing here" }, 404);
      }
    },
  });
  return Object.assign(directory, {
    url: `${server.url.origin}/directory`,
    ca: openssl("x509", "-in", at("ca.pem")),
    given: () => given,
    contacts,
    forget: () => keys.clear(),
    [Symbol.dispose]: () => void server.stop(true),
  });
}
