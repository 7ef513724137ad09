/** Far above the documents of any provider. */
const MAX_BYTES = 512 * 1024;

/** What is wrong with a provider. It has no message: those of libraries quote answers. */
export interface ProviderFault extends Error {
  /** For the log, such as `TIMEOUT`. */
  readonly code: string;
  /** True when the provider answered as it should, and the answer proves nothing. */
  readonly isOfProof: boolean;
}

export function providerFault(code: string, isOfProof = false): ProviderFault {
  return Object.assign(new Error(""), { name: "ProviderFault", code, isOfProof });
}

export function isProviderFault(error: unknown): error is ProviderFault {
  return error instanceof Error && error.name === "ProviderFault";
}

/**
 * Calls a provider. Follows no redirect, and reads the whole answer under the signal of the call. Rejects with a
 * ProviderFault.
 */
export async function boundedFetch(url: string, init: object): Promise<Response> {
  try {
    const answer = await fetch(url, { ...init, redirect: "manual" });
    const body = await readBounded(answer);
    return new Response(body, { status: answer.status, headers: answer.headers });
  } catch (error) {
    if (isProviderFault(error)) throw error;
    const isLate = error instanceof Error && (error.name === "TimeoutError" || error.name === "AbortError");
    throw providerFault(isLate ? "TIMEOUT" : "UNREACHABLE");
  }
}

async function readBounded(answer: Response): Promise<Uint8Array<ArrayBuffer> | null> {
  if (!answer.body) return null;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of answer.body) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw providerFault("TOO_LARGE");
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}
