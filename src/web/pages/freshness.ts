/** The fragment of the page's address right after signing in. */
export const FRESH = "signed-in";

/** True right after signing in; removes the fragment from the address bar. */
export function takeFreshness(): boolean {
  if (location.hash !== `#${FRESH}`) return false;
  history.replaceState(null, "", location.pathname);
  return true;
}
