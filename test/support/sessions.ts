import type { BrowserContext } from "playwright-core";
import { createHttpClient } from "../../src/client/http-client.ts";
import type { HttpClient } from "../../src/client/http-client.ts";
import { APP_PREFIX } from "../../src/contract/operations.ts";

/** A client that calls as the page does whose person has signed in in `context`. */
export async function clientOf(context: BrowserContext, baseUrl: string): Promise<HttpClient> {
  const cookie = (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join("; ");
  return createHttpClient({
    baseUrl,
    prefix: APP_PREFIX,
    credential: undefined,
    fetch: (url, init = {}) =>
      fetch(url, {
        ...init,
        headers: { ...Object.fromEntries(new Headers(init.headers)), cookie, "sec-fetch-site": "same-origin" },
      }),
  });
}
