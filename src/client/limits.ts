import { ClientError } from "./errors.ts";

/** Throws ClientError for what this server would refuse, in words that say what it takes. */
export function checkPolicy(value: number | undefined, most: number, what: string, unit: string): void {
  if (value === undefined || !Number.isInteger(most) || (value <= most && (unit === "" || value >= 60))) return;
  const range = unit === "" ? `at most ${most}` : `60 to ${most} ${unit}`;
  throw new ClientError("schema_mismatch", "usage", `${what} is out of range: this server takes ${range}.`);
}

/** The error of what a server does not take. */
export function tooLarge(maxBytes: number): ClientError {
  const limit = (maxBytes / 1024 / 1024).toFixed(1).replace(/\.0$/, "");
  const plain = ((maxBytes * 3) / 4 / 1024 / 1024).toFixed(1);
  return new ClientError(
    "payload_too_large",
    "failure",
    `This is too large: the server takes ${limit} MiB of ciphertext, which is about ${plain} MiB of content.`,
  );
}
