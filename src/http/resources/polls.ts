let polled: Promise<void> | undefined;

/**
 * Resolves once the event loop has polled its connections again. After that the signal of a request is aborted if its
 * caller has disconnected. A process that was stopped finds a request and the end of its connection together, and reads
 * the request first.
 */
export function nextPoll(): Promise<void> {
  // The loop polls between an immediate and one that was set in it. All requests of one poll share them.
  return (polled ??= new Promise<void>((resolve) => {
    setImmediate(() => {
      polled = undefined;
      setImmediate(resolve);
    });
  }));
}
