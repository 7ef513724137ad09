/** A text encrypted with a key that scripts can use and cannot read. */
export interface SealedText {
  readonly iv: Uint8Array<ArrayBuffer>;
  readonly bytes: ArrayBuffer;
}

const CIPHER = "AES-GCM";
const IV_BYTES = 12;

/** Creates a key for sealed texts, which cannot be exported. Rejects where the browser has no WebCrypto. */
export function createTextKey(): Promise<CryptoKey> {
  return crypto.subtle.generateKey({ name: CIPHER, length: 256 }, false, ["encrypt", "decrypt"]);
}

/** Encrypts `text` for a `place`, such as its key in a database: nowhere else can it be opened. */
export async function sealText(key: CryptoKey, place: readonly string[], text: string): Promise<SealedText> {
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  return { iv, bytes: await crypto.subtle.encrypt(paramsOf(iv, place), key, new TextEncoder().encode(text)) };
}

/** Decrypts a sealed text. Rejects when it was sealed with another key or for another place. */
export async function openText(key: CryptoKey, place: readonly string[], { iv, bytes }: SealedText): Promise<string> {
  return new TextDecoder().decode(await crypto.subtle.decrypt(paramsOf(iv, place), key, bytes));
}

function paramsOf(iv: Uint8Array<ArrayBuffer>, place: readonly string[]): AesGcmParams {
  return { name: CIPHER, iv, additionalData: new TextEncoder().encode(JSON.stringify(place)) };
}
