const LINE_END = 10;
/** How many bytes are kept of the beginning and the end of a message that is too long, to find its id. */
const EDGE_BYTES = 4096;

type MessageId = string | number;

export interface MessageLimits {
  /** The maximum size of a message, line end included. */
  readonly maxBytes: number;
  /** Called for every message that was left out, with its id if that was found. */
  readonly onTooLong: (id: MessageId | undefined) => void;
}

/** Yields the messages of a stream, one for each line. Messages that are too long are left out. */
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
 * Finds the id of a JSON-RPC request in its beginning or its end; undefined when it is in neither. Only a member of the
 * outermost object counts: one after short members alone, or right before the last brace.
 */
function idOf(head: string, tail: string): MessageId | undefined {
  const found =
    /^\s*\{(?:\s*"(?:jsonrpc|method)"\s*:\s*"[^"\\]*"\s*,)*\s*"id"\s*:\s*("[^"\\]{0,256}"|-?\d{1,15})\s*[,}]/.exec(
      head,
    ) ?? /,\s*"id"\s*:\s*("[^"\\]{0,256}"|-?\d{1,15})\s*\}\s*$/.exec(tail);
  return found?.[1] === undefined ? undefined : JSON.parse(found[1]);
}
