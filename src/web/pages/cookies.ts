/** The reason why a browser keeps no session: it stores such cookies over HTTPS only, or no cookies at all. */
export type CookieFault = "needs-https" | "refused";

const NAME = "handoff-test";

/**
 * Returns the reason why this browser would not keep a session cookie; undefined when it keeps a test cookie with the
 * same attributes.
 */
export function findCookieFault(): CookieFault | undefined {
  if (canKeep(`__Host-${NAME}`, "; Secure")) return undefined;
  return location.protocol === "http:" && canKeep(NAME, "") ? "needs-https" : "refused";
}

/** Stores a cookie briefly, as a test. */
function canKeep(name: string, rule: string): boolean {
  const cookie = `${name}=1; Path=/; SameSite=Strict${rule}`;
  document.cookie = cookie;
  const isKept = document.cookie.split("; ").includes(`${name}=1`);
  document.cookie = `${cookie}; Max-Age=0`;
  return isKept;
}
