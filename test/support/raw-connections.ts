/** A connection on which a test sends what it wants, byte by byte. */
export interface RawConnection {
  send(bytes: string | Uint8Array): void;
  /** Resolves with what has come so far once it matches, or once the connection is closed. */
  until(pattern: RegExp): Promise<string>;
  /** Resolves with all that came, once the server has closed. */
  readonly closed: Promise<string>;
  /** Reads nothing until `resume`. */
  pause(): void;
  resume(): void;
  end(): void;
}

/** Connects to the server at `url`, plainly. */
export async function connectRaw(url: string): Promise<RawConnection> {
  const { hostname, port } = new URL(url);
  const closed = Promise.withResolvers<string>();
  let received = "";
  let tell = () => {};
  let isClosed = false;
  let waiting: Uint8Array[] = [];
  const socket = await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      data(_, data) {
        received += data.toString();
        tell();
      },
      drain: () => write([]),
      close() {
        isClosed = true;
        closed.resolve(received);
        tell();
      },
    },
  });
  const write = (more: Uint8Array[]) => {
    waiting.push(...more);
    while (waiting[0]) {
      const sent = socket.write(waiting[0]);
      if (sent < waiting[0].byteLength) {
        waiting[0] = waiting[0].subarray(Math.max(0, sent));
        return;
      }
      waiting = waiting.slice(1);
    }
  };
  return {
    send: (bytes) => write([typeof bytes === "string" ? Buffer.from(bytes) : bytes]),
    async until(pattern) {
      while (!pattern.test(received) && !isClosed) await new Promise<void>((resolve) => (tell = resolve));
      return received;
    },
    closed: closed.promise,
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
    end: () => socket.terminate(),
  };
}
