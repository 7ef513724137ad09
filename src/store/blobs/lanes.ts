/**
 * Returns a function that runs one piece of work after another. Many uploads that are written at once would hold up
 * everything else that the server does.
 */
export function createLane() {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work);
    last = turn.catch(() => undefined);
    return turn;
  };
}
