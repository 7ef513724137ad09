const MOST_LOOKED_AT = 100;

/** The eight digits of a code, as it was typed or pasted, in whatever digits; undefined for anything else. */
export function parseMailCode(text: string): string | undefined {
  if (text.length > MOST_LOOKED_AT) return undefined;
  const code = text
    .normalize("NFKC")
    // The digits that an Arabic keyboard writes.
    .replaceAll(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 0xf))
    .replaceAll(/[\s\p{Pd}\p{Cf}]/gu, "");
  return /^\d{8}$/.test(code) ? code : undefined;
}

/** True when it has the shape of an address. Whether there is such a mailbox, only its mail server knows. */
export function isAddress(text: string): boolean {
  return /^[^\s@]+@[^\s@]+$/.test(text);
}
