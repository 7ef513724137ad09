/** An event of a stream as a reader gets it, or a comment. */
interface StreamPart {
  readonly id?: string;
  readonly event?: string;
  readonly data?: string;
  readonly retry?: string;
  readonly comment?: string;
}

/** A reader of server-sent events, as strict as a test wants it. */
interface StreamReader {
  readonly response: Response;
  /** The next part; undefined at the end of the stream. */
  next(): Promise<StreamPart | undefined>;
  /** The next part that is an event, with its data as JSON; undefined at the end. */
  event(): Promise<{ readonly id: string; readonly type: string; readonly data: Record<string, unknown> } | undefined>;
  /** Goes away. */
  leave(): void;
}

/** Opens the stream at `url`. */
export async function openStream(
  url: string,
  headers: Readonly<Record<string, string>>,
  init: BunFetchRequestInit = {},
): Promise<StreamReader> {
  const away = new AbortController();
  const response = await fetch(url, {
    ...init,
    headers: { accept: "text/event-stream", ...headers },
    signal: away.signal,
  });
  const parts = partsOf(response);
  const next = async () => (await parts.next()).value;
  return {
    response,
    next,
    async event() {
      for (;;) {
        const part = await next();
        if (!part) return undefined;
        if (part.data === undefined) continue;
        return { id: part.id ?? "", type: part.event ?? "", data: JSON.parse(part.data) };
      }
    },
    leave: () => away.abort(),
  };
}

async function* partsOf({ body }: Response): AsyncGenerator<StreamPart, undefined> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    const blocks = text.split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks) yield Object.fromEntries(block.split("\n").map(fieldOf));
  }
  if (text !== "") throw new Error("the stream ended within a part");
  return undefined;
}

function fieldOf(line: string): [string, string] {
  const [, name = "", value = ""] = /^([^:]*): ?(.*)$/.exec(line) ?? [];
  return [name === "" ? "comment" : name, value];
}
