/** Addresses as the server names them to the holder of a link: `a…@example.com`, or `*@example.com` for a domain. */
export interface Mask {
  /** The first character of the address; undefined for everybody at the domain. */
  readonly start: string | undefined;
  readonly domain: string;
}

/** Parses one of the chosen addresses as the holder of a link sees them. */
export function parseMask(text: string): Mask {
  const [start = ""] = text;
  return { start: start === "*" ? undefined : start, domain: text.slice(text.lastIndexOf("@") + 1) };
}

/** True when a mask may stand for this address. False is certain. */
export function mayBe({ start = "", domain }: Mask, address: string): boolean {
  const own = address.toLowerCase();
  return own.startsWith(start.toLowerCase()) && own.endsWith(`@${domain.toLowerCase()}`);
}
