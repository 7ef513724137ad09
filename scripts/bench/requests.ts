import { Encrypter } from "age-encryption";

// Of age's payload: C2SP age.md.
const CHUNK_BYTES = 65_536;
const TAG_BYTES = 16;

/** The requests that a script with one API key sends. */
export interface Requests {
  create(): string;
  claim(secretId: string): string;
  /** Gets a secret's metadata. */
  read(secretId: string): string;
}

export function createRequests(token: string, ciphertext: string): Requests {
  const common = `Host: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\n`;
  const body = JSON.stringify({ envelope: { version: 1, ciphertext } });
  const creation = `POST /api/v1/secrets HTTP/1.1\r\n${common}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  return {
    create: () => creation,
    claim: (secretId) => `POST /api/v1/secrets/${secretId}/claim HTTP/1.1\r\n${common}Content-Length: 0\r\n\r\n`,
    read: (secretId) => `GET /api/v1/secrets/${secretId} HTTP/1.1\r\n${common}\r\n`,
  };
}

/** The id in the head of an answer to a creation. Throws when there is none. */
export function createdId(head: string): string {
  const id = /\r\nlocation: \/api\/v1\/secrets\/(\w+)/i.exec(head)?.[1];
  if (id === undefined) throw new Error("the answer to a creation names no secret");
  return id;
}

/** A real age file as clients write it, of at most `characters`, so that the server has to check all of it. */
export async function sealCiphertext(characters: number): Promise<string> {
  const encrypter = new Encrypter();
  encrypter.setPassphrase("fake-local-test-only");
  encrypter.setScryptWorkFactor(10);
  const bytes = Math.floor((characters * 3) / 4);
  const overhead = (await encrypter.encrypt("")).length + TAG_BYTES * Math.ceil(bytes / CHUNK_BYTES);
  const file = await encrypter.encrypt(new Uint8Array(bytes - overhead));
  return file.toBase64({ alphabet: "base64url", omitPadding: true });
}
