import { codeOf } from "../contract/error-traces.ts";
import type { ProviderFault } from "../domain/ports/providers.ts";
import { certificateFaultOf, describeCertificateFault } from "../domain/values/certificate-faults.ts";
import { isProviderFault, providerFault } from "./provider-faults.ts";

/** Far above the documents of any provider. */
const MAX_BYTES = 512 * 1024;

/**
 * Calls a provider. Follows no redirect, and reads the whole answer under the signal of the call. Rejects with a
 * ProviderFault.
 */
export async function boundedFetch(url: string, init: object): Promise<Response> {
  const { host } = new URL(url);
  try {
    const answer = await fetch(url, { ...init, redirect: "manual" });
    const body = await readBounded(answer, host);
    return new Response(body, { status: answer.status, headers: answer.headers });
  } catch (error) {
    throw isProviderFault(error) ? error : networkFault(error, host);
  }
}

function networkFault(error: unknown, host: string): ProviderFault {
  const code = codeOf(error) ?? "";
  const ofCertificate = certificateFaultOf(code);
  if (ofCertificate) return providerFault(code, describeCertificateFault(ofCertificate, host));
  if (error instanceof Error && (error.name === "TimeoutError" || error.name === "AbortError")) {
    return providerFault("TIMEOUT", `${host} doesn't answer in time.`);
  }
  return providerFault("UNREACHABLE", `Can't connect to ${host}.`);
}

async function readBounded(answer: Response, host: string): Promise<Uint8Array<ArrayBuffer> | null> {
  if (!answer.body) return null;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of answer.body) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw providerFault("TOO_LARGE", `${host} answers with more than ${MAX_BYTES / 1024} KiB.`);
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}
