import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Provider } from "oidc-provider";

/** An account at the provider. */
export interface TestAccount {
  readonly sub: string;
  readonly [claim: string]: unknown;
}

/** A real provider of OpenID Connect on loopback. */
export interface TestProvider extends AsyncDisposable {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly accounts: Map<string, TestAccount>;
  /** The addresses that the provider was called at. */
  readonly calls: string[];
  /** Signs `sub` in as a browser would, and resolves with the query that the provider sends it back with. */
  authorize(url: string, sub: string, jar?: Map<string, string>): Promise<string>;
}

const CLIENT = { clientId: "handoff", clientSecret: "a secret with : and %" } as const;

/** Starts a provider that sends browsers back to `redirectUri`. */
export async function startProvider(redirectUri: string, accounts: readonly TestAccount[]): Promise<TestProvider> {
  const known = new Map(accounts.map((account) => [account.sub, account]));
  const calls: string[] = [];
  let answer: ((request: never, response: never) => void) | undefined;
  const server = createServer((request, response) => {
    calls.push(request.url ?? "");
    answer?.(request as never, response as never);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.clientId,
        client_secret: CLIENT.clientSecret,
        redirect_uris: [redirectUri],
        response_types: ["code"],
        grant_types: ["authorization_code"],
        token_endpoint_auth_method: "client_secret_basic",
      },
    ],
    claims: { openid: ["sub", "sid"], email: ["email", "email_verified"], profile: ["name", "groups"] },
    findAccount: (_context, sub) => {
      const account = known.get(sub);
      return account && { accountId: sub, claims: () => account };
    },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: true } },
    cookies: { keys: ["a key for cookies"] },
    // The page of the test asks for no consent twice.
    loadExistingGrant: async (context) => {
      const { oidc } = context;
      const accountId = oidc.session?.accountId ?? "";
      const grant = new oidc.provider.Grant({ clientId: CLIENT.clientId, accountId });
      grant.addOIDCScope("openid email profile");
      await grant.save();
      return grant;
    },
  });
  answer = provider.callback() as never;
  return {
    issuer,
    ...CLIENT,
    accounts: known,
    calls,
    async authorize(url, sub, jar = new Map()) {
      let at = new URL(url);
      let form: URLSearchParams | undefined;
      for (let turn = 0; turn < 12; turn++) {
        if (at.href.startsWith(`${redirectUri}?`)) return at.search.slice(1);
        const reply = await fetch(at, {
          redirect: "manual",
          headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join("; ") },
          ...(form && { method: "POST", body: form }),
        });
        form = undefined;
        for (const each of reply.headers.getSetCookie()) {
          const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(each) ?? [];
          if (value === "") jar.delete(name);
          else jar.set(name, value);
        }
        const location = reply.headers.get("location");
        if (location !== null) at = new URL(location, at);
        else if (reply.status === 200) {
          form = new URLSearchParams({ prompt: "login", login: sub, password: "any" });
        } else throw new Error(`the provider answered ${reply.status}: ${await reply.text()}`);
      }
      throw new Error("the provider sends the browser around");
    },
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
