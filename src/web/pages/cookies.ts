/** The reason why a browser keeps nobody signed in: it keeps such cookies over HTTPS only, or none at all. */
export type CookieFault = "needs-https" | "refused";

const NAME = "handoff-test";

/** The reason why this browser would not keep the cookie of a session; undefined when it keeps one under the same rules. */
export function findCookieFault(): CookieFault | undefined {
  if (canKeep(`__Host-${NAME}`, "; Secure")) return undefined;
  return location.protocol === "http:" && canKeep(NAME, "") ? "needs-https" : "refused";
}

/** Keeps a cookie for a moment. */
function canKeep(name: string, rule: string): boolean {
  const cookie = `${name}=1; Path=/; SameSite=Strict${rule}`;
  document.cookie = cookie;
  const isKept = document.cookie.split("; ").includes(`${name}=1`);
  document.cookie = `${cookie}; Max-Age=0`;
  return isKept;
}
