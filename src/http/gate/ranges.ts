import type { RemoteBytes } from "../../domain/ports/uploads.ts";

const RANGE = /^bytes=([0-9]{0,15})-([0-9]{0,15})$/;

/** What is answered: `bytes` of a blob that is elsewhere. */
interface Ranged {
  readonly bytes: number;
  readonly blob: RemoteBytes;
  readonly headers: Readonly<Record<string, string> & { etag: string }>;
}

/**
 * Answers with a blob, or with the part of it that the request asks for, as Bun does for a file (RFC 9110, section 14).
 * Bun declares no length for a stream, so it is chunked. Rejects as `RemoteBytes` does.
 */
export async function answerRange(request: Request, { bytes, blob, headers }: Ranged): Promise<Response> {
  const range = findRange(request.headers, bytes, headers.etag);
  if (range === undefined) return new Response(await blob.open(0, bytes), { headers });
  if (range === "unsatisfiable") {
    return new Response(null, { status: 416, headers: { ...headers, "content-range": `bytes */${bytes}` } });
  }
  const { start, end } = range;
  return new Response(await blob.open(start, end), {
    status: 206,
    headers: { ...headers, "content-range": `bytes ${start}-${end - 1}/${bytes}` },
  });
}

/** The part that a request asks for; undefined for all, also where it asks for several, or in other words. */
function findRange(headers: Headers, bytes: number, tag: string) {
  const [, first = "", last = ""] = RANGE.exec(headers.get("range") ?? "") ?? [];
  const condition = headers.get("if-range");
  if ((first === "" && last === "") || (condition !== null && condition !== tag)) return undefined;
  const start = first === "" ? Math.max(0, bytes - Number(last)) : Number(first);
  const end = first === "" || last === "" ? bytes : Math.min(bytes, Number(last) + 1);
  if (first !== "" && last !== "" && Number(last) < start) return undefined;
  return start < end ? ({ start, end } as const) : "unsatisfiable";
}
