const LINE_END = 10;
/**
 * The bytes that are kept of the beginning and of the end of a message that is too long: its id stands in one of them.
 */
const EDGE_BYTES = 4096;

type MessageId = string | number;

export interface MessageLimits {
  /** The most bytes of one message, with the end of its line. */
  readonly maxBytes: number;
  /** Told of a message that was left out, with its id where that can be found. */
  readonly onTooLong: (id: MessageId | undefined) => void;
}

/** Yields the whole messages of a stream that has one on each line; of one that is too long nothing is kept. */
export async function* readMessages(
  input: AsyncIterable<Uint8Array>,
  { maxBytes, onTooLong }: MessageLimits,
): AsyncGenerator<Buffer> {
  let line = createLine(maxBytes);
  for await (const chunk of input) {
    for (let from = 0; from < chunk.length;) {
      const at = chunk.indexOf(LINE_END, from);
      const end = at === -1 ? chunk.length : at + 1;
      line.add(chunk.subarray(from, end));
      from = end;
      if (at === -1) break;
      if (line.isTooLong()) onTooLong(idOf(line.head(), line.tail()));
      else yield line.whole();
      line = createLine(maxBytes);
    }
  }
}

function createLine(maxBytes: number) {
  let parts: Uint8Array[] = [];
  let length = 0;
  let head = "";
  let tail = new Uint8Array();
  return {
    add(part: Uint8Array) {
      const wasTooLong = length > maxBytes;
      length += part.length;
      if (!wasTooLong) parts.push(part);
      if (length <= maxBytes) return;
      if (!wasTooLong) {
        const whole = Buffer.concat(parts);
        parts = [];
        head = whole.toString("latin1", 0, EDGE_BYTES);
        tail = new Uint8Array(whole.subarray(-EDGE_BYTES));
      } else {
        tail = new Uint8Array(Buffer.concat([tail, part.subarray(-EDGE_BYTES)]).subarray(-EDGE_BYTES));
      }
    },
    isTooLong: () => length > maxBytes,
    whole: () => Buffer.concat(parts),
    head: () => head,
    tail: () => Buffer.from(tail).toString("latin1"),
  };
}

/**
 * The id of a JSON-RPC request of which only the two ends are known; undefined when it stands between them. What it finds
 * is a member of the outermost object: nothing but short members stands before it, or nothing but the last brace behind.
 */
function idOf(head: string, tail: string): MessageId | undefined {
  const found =
    /^\s*\{(?:\s*"(?:jsonrpc|method)"\s*:\s*"[^"\\]*"\s*,)*\s*"id"\s*:\s*("[^"\\]{0,256}"|-?\d{1,15})\s*[,}]/.exec(
      head,
    ) ?? /,\s*"id"\s*:\s*("[^"\\]{0,256}"|-?\d{1,15})\s*\}\s*$/.exec(tail);
  return found?.[1] === undefined ? undefined : JSON.parse(found[1]);
}
