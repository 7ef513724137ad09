const PROGRAM = new URL("../../src/store/sqlite/assembly/writer-thread.ts", import.meta.url).href;

const free: Worker[] = [];

/**
 * Starts the thread of a writer, or returns one whose store was closed: starting one takes longer than most tests. The
 * thread makes everything anew when it opens a store.
 */
export function startWriterThread(): Worker {
  return lend(free.pop() ?? new Worker(PROGRAM));
}

/** Returns `thread` in a form that a store can end, after which it is free again and sends that store nothing more. */
function lend(thread: Worker): Worker {
  const returning = new AbortController();
  return new Proxy(thread, {
    get(_, name) {
      if (name === "terminate") {
        return () => {
          returning.abort();
          free.push(thread);
        };
      }
      if (name === "addEventListener") {
        return (type: string, listener: EventListener) =>
          thread.addEventListener(type, listener, { signal: returning.signal });
      }
      const member: unknown = Reflect.get(thread, name, thread);
      return typeof member === "function" ? member.bind(thread) : member;
    },
  });
}
