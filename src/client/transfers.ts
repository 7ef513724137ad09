/** Told how much of a transfer is done. `total` is undefined when it is not known. */
export type Progress = (direction: "up" | "down", bytes: number, total: number | undefined) => void;

const CHUNK_BYTES = 64 * 1024;

/** The part of a fetch's options that sends `text`, and tells of it when it is large. */
export function streamBody(text: string, onProgress: Progress | undefined): RequestInit {
  if (!onProgress || text.length <= CHUNK_BYTES) return { body: text };
  const bytes = new TextEncoder().encode(text);
  let sent = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const chunk = bytes.subarray(sent, sent + CHUNK_BYTES);
      sent += chunk.length;
      if (chunk.length > 0) controller.enqueue(chunk);
      else controller.close();
      onProgress("up", sent, bytes.length);
    },
  });
  const options = { body, duplex: "half" } as const;
  return options;
}

/**
 * Reads the body of `response` as text, and tells of it when it is large. Resolves undefined, having read no more, when it
 * has more than `maxBytes`: whoever answers may not be a handoff server, or mean harm. `onBytes` is told of every piece.
 */
export async function readBody(
  response: Response,
  maxBytes: number,
  { onBytes, onProgress }: { readonly onBytes: (bytes: number) => void; readonly onProgress: Progress | undefined },
): Promise<string | undefined> {
  if (!response.body) return "";
  const total = Number(response.headers.get("content-length") ?? 0) || undefined;
  const decoder = new TextDecoder();
  const parts: string[] = [];
  let received = 0;
  // Not as an iterable, which in Safari it is not.
  const reader = response.body.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    received += read.value.byteLength;
    if (received > maxBytes) {
      await reader.cancel();
      return undefined;
    }
    onBytes(received);
    parts.push(decoder.decode(read.value, { stream: true }));
    if ((total ?? 0) > CHUNK_BYTES) onProgress?.("down", received, total);
  }
  return parts.join("") + decoder.decode();
}
