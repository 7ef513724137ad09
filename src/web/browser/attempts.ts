/** A browser that does not answer must not hold up what can be done without. */
const PATIENCE_MS = 2000;

/** The result of `work`; `otherwise` where the browser refuses, as some do in private windows, or says nothing. */
export async function attempt<T>(work: () => Promise<T>, otherwise: T, patienceMs = PATIENCE_MS): Promise<T> {
  const late = new Promise<T>((resolve) => void setTimeout(() => resolve(otherwise), patienceMs));
  try {
    return await Promise.race([work(), late]);
  } catch {
    return otherwise;
  }
}
