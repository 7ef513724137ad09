let polled: Promise<void> | undefined;

/**
 * Resolves once the event loop has looked at its connections again: after that, the signal of a request says whether its caller
 * has gone. A process that stood still finds a request and the end of its connection at the same time, and reads the request first.
 */
export function nextPoll(): Promise<void> {
  // The loop looks between an immediate and one that was made in it. Requests of one look share them.
  return (polled ??= new Promise<void>((resolve) => {
    setImmediate(() => {
      polled = undefined;
      setImmediate(resolve);
    });
  }));
}
