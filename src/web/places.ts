/** Which screen an address asks for, and the id in it. */
export interface Place {
  readonly kind: "secret" | "request" | "sign-in" | "home";
  readonly id: string;
}

const END = /\/(?:(s|r)\/([^/]*)\/?|(sign-in))?$/;

/** The place that the address of the page names. */
export function currentPlace(): Place {
  const [, letter, id = "", signIn] = END.exec(location.pathname) ?? [];
  if (signIn !== undefined) return { kind: "sign-in", id };
  if (letter === undefined) return { kind: "home", id };
  return { kind: letter === "s" ? "secret" : "request", id };
}

/** Where the site begins, which may be below a path, without a slash at the end. */
export function topUrl(): string {
  return location.origin + location.pathname.replace(END, "");
}
