const given = new Set<number>();

/** A port of this machine that nobody listens on, and that wasn't returned before. */
export function freePort(): number {
  for (;;) {
    const listener = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => undefined } });
    const { port } = listener;
    listener.stop(true);
    // The kernel may give a port again that was given back a moment ago.
    if (given.has(port)) continue;
    given.add(port);
    return port;
  }
}
