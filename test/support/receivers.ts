/** A call that a receiver got. */
export interface ReceivedCall {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: Headers;
  readonly body: string;
}

/** A receiver of webhooks on this machine. */
export interface Receiver extends AsyncDisposable {
  readonly url: string;
  /** In the order in which they came. */
  readonly calls: ReceivedCall[];
  /** Resolves with the next call that comes. */
  nextCall(): Promise<ReceivedCall>;
  /** Resolves once there were so many calls. */
  untilCalls(count: number): Promise<readonly ReceivedCall[]>;
}

export interface ReceiverTls {
  readonly key: string;
  readonly cert: string;
}

/** Opens a receiver that answers as `answer` says, with 200 unless it says something else. */
export function openReceiver(
  answer: (call: ReceivedCall, calls: readonly ReceivedCall[]) => Response | Promise<Response> = () => new Response(),
  tls?: ReceiverTls,
  port = 0,
): Receiver {
  const calls: ReceivedCall[] = [];
  const waiting = new Set<(call: ReceivedCall) => void>();
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port,
    idleTimeout: 0,
    ...(tls && { tls }),
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const { method, headers } = request;
      const call = { method, path: pathname + search, headers, body: await request.text() };
      calls.push(call);
      for (const wake of waiting) wake(call);
      return answer(call, calls);
    },
  });
  const nextCall = () => {
    const { promise, resolve } = Promise.withResolvers<ReceivedCall>();
    waiting.add(resolve);
    return promise.finally(() => waiting.delete(resolve));
  };
  return {
    url: `${tls ? "https" : "http"}://127.0.0.1:${server.port}/hook?token=t`,
    calls,
    nextCall,
    async untilCalls(count) {
      while (calls.length < count) await nextCall();
      return calls;
    },
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}
