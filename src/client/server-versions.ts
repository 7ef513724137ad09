import type { Fetch } from "./http-client.ts";
import { readBody } from "./transfers.ts";

const MAX_ANSWER_BYTES = 1024;
const PATIENCE_MS = 5000;
const VERSION = /^\d{1,4}\.\d{1,4}\.\d{1,4}(-[0-9a-z]{1,12}(\.\d{1,4})?)?$/;

/** The version of the server; null for an invalid version or an unreachable server. Never rejects. */
export async function findServerVersion(baseUrl: string, fetch: Fetch, signal?: AbortSignal): Promise<string | null> {
  const late = AbortSignal.timeout(PATIENCE_MS);
  try {
    const response = await fetch(`${baseUrl}/health/live`, {
      redirect: "manual",
      signal: signal ? AbortSignal.any([signal, late]) : late,
    });
    const text = await readBody(response, MAX_ANSWER_BYTES, { onBytes: () => undefined, onProgress: undefined });
    const { version } = JSON.parse(text ?? "") as { readonly version?: unknown };
    return response.ok && typeof version === "string" && VERSION.test(version) ? version : null;
  } catch {
    return null;
  }
}
