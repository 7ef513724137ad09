import { readdirSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { createIdempotencyKey } from "../client/secrets.ts";
import { stateFolder } from "./paths.ts";
import { createPrivateFile, readPrivateFile, writePrivateFile } from "./private-files.ts";
import type { Terminal } from "./terminal.ts";

/** Longer than any server lets a claim be repeated. */
const MAX_AGE_MS = 24 * 60 * 60 * 1000;

/**
 * A claim that may have been made and whose secret is not yet where it belongs. Its key is on disk before the claim is
 * sent, so that after a crash the same claim can be repeated. The key opens nothing: the link is needed again.
 */
export interface PendingClaim {
  readonly idempotencyKey: string;
  /** Whether it was begun before, and came to no end. */
  readonly isResumed: boolean;
  /** The secret is where it belongs. */
  finish(): void;
}

/** Begins the claim of a secret of the server at `baseUrl`, or takes up one that was begun before. Throws CommandError. */
export function openPendingClaim(terminal: Terminal, baseUrl: string, secretId: string): PendingClaim {
  const path = claimPath(terminal, baseUrl, secretId);
  forgetOld(dirname(path));
  const fresh = createIdempotencyKey();
  // Whoever comes second, of two that open the same at the same time, works with the key of the first.
  const isFirst = createPrivateFile(path, `${fresh}\n`);
  const found = isFirst ? fresh : readPrivateFile(path)?.trim();
  if (!found) writePrivateFile(path, `${fresh}\n`);
  const idempotencyKey = found || fresh;
  return {
    idempotencyKey,
    isResumed: !isFirst,
    finish() {
      try {
        if (readPrivateFile(path)?.trim() === idempotencyKey) rmSync(path, { force: true });
      } catch {
        // It is of no use any more, and too old in a day.
      }
    },
  };
}

/** Whether a claim of this secret was begun and came to no end. */
export function hasPendingClaim(terminal: Terminal, baseUrl: string, secretId: string): boolean {
  return readPrivateFile(claimPath(terminal, baseUrl, secretId)) !== undefined;
}

/**
 * The file of a claim. Of which server it is belongs to the name: another one could have a secret of the same id, on
 * purpose.
 */
export function claimPath(terminal: Terminal, baseUrl: string, secretId: string): string {
  const server = new Bun.CryptoHasher("sha256").update(baseUrl).digest("hex").slice(0, 16);
  return join(stateFolder(terminal), "claims", `${secretId}-${server}`);
}

function forgetOld(folder: string): void {
  try {
    for (const name of readdirSync(folder)) {
      const path = join(folder, name);
      if (Date.now() - statSync(path).mtimeMs > MAX_AGE_MS) rmSync(path, { force: true });
    }
  } catch {
    // There is no such folder yet, or another command has tidied up.
  }
}
