/** A hanging browser API must not block work that can do without it. */
const PATIENCE_MS = 2000;

/**
 * Returns the result of `work`, or `otherwise` when it fails or times out. Private windows of some browsers do either.
 */
export async function attempt<T>(work: () => Promise<T>, otherwise: T, patienceMs = PATIENCE_MS): Promise<T> {
  const late = new Promise<T>((resolve) => void setTimeout(() => resolve(otherwise), patienceMs));
  try {
    return await Promise.race([work(), late]);
  } catch {
    return otherwise;
  }
}
