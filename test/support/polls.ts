/**
 * Resolves once `isSo` holds, which is asked again every few milliseconds; the time limit of the test is the only one.
 */
export async function until(isSo: () => boolean | Promise<boolean>, everyMs = 5): Promise<void> {
  while (!(await isSo())) await Bun.sleep(everyMs);
}
