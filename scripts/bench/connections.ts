import type { Socket } from "bun";

const HEAD_END = "\r\n\r\n";

/** The parts of an answer that a benchmark uses. */
export interface Answer {
  readonly status: number;
  /** Status line and headers. */
  readonly head: string;
}

/** A keep-alive connection: one request at a time, and only the HTTP that our own server speaks. */
export interface Connection {
  /** Sends a whole request and resolves with its answer. Rejects when the connection breaks. */
  call(request: string): Promise<Answer>;
  close(): void;
}

/** Connects to a port on loopback. */
export async function openConnection(port: number): Promise<Connection> {
  let received = "";
  let waiting: PromiseWithResolvers<Answer> | undefined;

  const answer = () => {
    const headEnd = received.indexOf(HEAD_END);
    if (headEnd < 0) return;
    const head = received.slice(0, headEnd);
    if (received.length < headEnd + HEAD_END.length + contentLength(head)) return;
    received = "";
    const caller = waiting;
    waiting = undefined;
    caller?.resolve({ status: Number(head.slice(9, 12)), head });
  };
  const fail = (reason: string) => waiting?.reject(new Error(reason));

  const socket: Socket = await Bun.connect({
    hostname: "127.0.0.1",
    port,
    socket: {
      data(_socket, chunk) {
        received += chunk.toString("latin1");
        answer();
      },
      close: () => fail("the server closed a connection"),
      error: (_socket, error) => fail(error.message),
    },
  });
  return {
    call(request) {
      waiting = Promise.withResolvers<Answer>();
      const { promise } = waiting;
      if (socket.write(request) !== request.length) fail("a request did not fit into the socket's buffer");
      return promise;
    },
    close: () => void socket.end(),
  };
}

function contentLength(head: string): number {
  const match = /\r\ncontent-length: *(\d+)/i.exec(head);
  if (!match) throw new Error("an answer without a Content-Length");
  return Number(match[1]);
}
