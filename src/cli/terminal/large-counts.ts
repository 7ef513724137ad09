import { formatSize } from "./progress.ts";

/** How many large secrets were copied, and the bytes of their ciphertexts. */
interface LargeCounts {
  readonly secrets: number;
  readonly bytes: number;
}

/** The same as members of JSON. */
export function largeCounts({ secrets, bytes }: LargeCounts) {
  return { large_secrets: secrets, large_bytes: bytes };
}

/** The same behind other counts, such as ", large secrets 2 (1.5 GiB)"; nothing for none. */
export function describeLarge({ secrets, bytes }: LargeCounts): string {
  return secrets === 0 ? "" : `, large secrets ${secrets} (${formatSize(bytes)})`;
}
