/** A proxy that notes what it is asked for, and passes nothing on. */
export interface TestProxy extends Disposable {
  readonly url: string;
  /** Everything that was sent to it. */
  readonly received: () => string;
}

export function startProxy(): TestProxy {
  let received = "";
  const listener = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      data(socket, bytes) {
        received += new TextDecoder("latin1").decode(bytes);
        socket.end("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
      },
    },
  });
  return {
    url: `http://127.0.0.1:${listener.port}`,
    received: () => received,
    [Symbol.dispose]: () => void listener.stop(true),
  };
}
