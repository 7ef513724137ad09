/** A fetch in place of that of the platform, and the addresses that were asked. */
export interface TestFetch extends Disposable {
  readonly asked: readonly string[];
}

/** Answers every call of `fetch` by itself until it is disposed of. */
export function answerFetches(answer: (url: URL, init: RequestInit) => Response | Promise<Response>): TestFetch {
  const former = globalThis.fetch;
  const asked: string[] = [];
  const answering = async (input: string | URL | Request, init: RequestInit = {}) => {
    const url = new URL(input instanceof Request ? input.url : input);
    asked.push(url.href);
    return answer(url, init);
  };
  globalThis.fetch = Object.assign(answering, { preconnect: former.preconnect });
  return { asked, [Symbol.dispose]: () => void (globalThis.fetch = former) };
}
