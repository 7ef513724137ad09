import type { Envelope } from "../../src/contract/envelopes.ts";

/** The same age file with another scrypt work factor in its header, as if it had been made with that. */
export function withWorkFactor({ version, ciphertext }: Envelope, workFactor: number): Envelope {
  const file = Buffer.from(ciphertext, "base64url").toString("latin1");
  const changed = file.replace(/(-> scrypt \S+) \d+\n/, `$1 ${workFactor}\n`);
  return { version, ciphertext: Buffer.from(changed, "latin1").toString("base64url") };
}
