import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startProvider } from "./oidc-providers.ts";
import type { TestAccount, TestProvider } from "./oidc-providers.ts";
import { openPlace } from "./people.ts";
import type { Place } from "./people.ts";
import { freePort } from "./ports.ts";
import { temporaryFolder } from "./temporary.ts";

/** A server, and the provider at another site that it has for single sign-on. */
export interface ProvidedPlace extends AsyncDisposable {
  readonly provider: TestProvider;
  readonly place: Place;
}

/** Opens a server with single sign-on for addresses at `acme.example`, who are people of its team. */
export async function openProvided(accounts: readonly TestAccount[]): Promise<ProvidedPlace> {
  const port = freePort();
  const url = `http://localhost:${port}`;
  const provider = await startProvider(`${url}/sign-in`, accounts);
  const folder = temporaryFolder();
  const secret = join(folder.path, "secret");
  writeFileSync(secret, provider.clientSecret);
  chmodSync(secret, 0o600);
  const listening = ["--listen", `127.0.0.1:${port}`, "--base-url", url];
  const client = ["--oidc-client-id", provider.clientId, "--oidc-client-secret-file", secret];
  const admitted = [
    "--oidc-issuer",
    provider.issuer,
    "--oidc-team",
    "team",
    "--oidc-allow",
    "email_domain=acme.example",
  ];
  const place = await openPlace([...listening, ...client, ...admitted]);
  return {
    provider,
    place: { ...place, server: { ...place.server, url } } satisfies Place,
    async [Symbol.asyncDispose]() {
      await place[Symbol.asyncDispose]();
      await provider[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}
