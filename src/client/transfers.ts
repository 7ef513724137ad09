/** Called with the bytes transferred so far. `total` is undefined when it isn't known. */
export type Progress = (direction: "up" | "down", bytes: number, total: number | undefined) => void;

const CHUNK_BYTES = 64 * 1024;

/** The options of a fetch that sends `text`, and reports progress when it is large. */
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
 * Reads the body of `response` as text, and reports progress when it is large. Stops and resolves undefined after more
 * than `maxBytes`, because the server may be hostile. `onBytes` is called after every piece with the bytes so far.
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
  // In Safari, a body isn't an async iterable.
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
