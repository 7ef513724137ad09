import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { CreatedAsk } from "../../contract/secrets.ts";
import { pendingFolders } from "../files/paths.ts";
import { readPrivateFile, writePrivateFile } from "../files/private-files.ts";
import { CommandError } from "../terminal/terminal.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { removeOld } from "./old-files.ts";
import { nameOnServer } from "./server-names.ts";

/** Longer than any ask lasts. */
const MAX_AGE_MS = 24 * 60 * 60 * 1000;

/** What is kept of an ask for approval. Its token opens nothing without the link, or a key that may claim. */
export type KeptAsk = Omit<CreatedAsk, "state">;

/** The ask for a secret that an earlier command made; undefined when none is kept, or it can't be read. */
export function findKeptAsk(terminal: Terminal, baseUrl: string, secretId: string): KeptAsk | undefined {
  const paths = askPaths(terminal, baseUrl, secretId);
  for (const path of paths) removeOld(dirname(path), MAX_AGE_MS);
  return paths.map(read).find((ask) => ask !== undefined);
}

/** Keeps an ask for later commands, in place of any other for this secret. Returns whether that succeeded. */
export function keepAsk(terminal: Terminal, baseUrl: string, secretId: string, ask: KeptAsk): boolean {
  const { id, words, expires_at: expiresAt, approval_token: approvalToken } = ask;
  const content = JSON.stringify({ id, words, expires_at: expiresAt, approval_token: approvalToken });
  return askPaths(terminal, baseUrl, secretId).some((path) => write(path, `${content}\n`));
}

/** Forgets the ask for a secret, if it has this token; without one, whatever its token is. Never throws. */
export function forgetAsk(terminal: Terminal, baseUrl: string, secretId: string, approvalToken?: string): void {
  try {
    for (const path of askPaths(terminal, baseUrl, secretId)) {
      if (approvalToken === undefined || read(path)?.approval_token === approvalToken) rmSync(path, { force: true });
    }
  } catch {
    // The server knows that it has ended, and it is too old in a day.
  }
}

function write(path: string, content: string): boolean {
  try {
    writePrivateFile(path, content);
    return true;
  } catch (error) {
    if (error instanceof CommandError) return false;
    throw error;
  }
}

/** The ask in a file; undefined for a file that is missing, unreadable or damaged. */
function read(path: string): KeptAsk | undefined {
  try {
    const ask = JSON.parse(readPrivateFile(path) ?? "");
    const { id, words, expires_at: expiresAt, approval_token: approvalToken } = ask;
    const isWhole = [id, expiresAt, approvalToken, ...words].every((each) => typeof each === "string");
    return isWhole ? { id, words, expires_at: expiresAt, approval_token: approvalToken } : undefined;
  } catch {
    return undefined;
  }
}

/** The possible paths of the file of an ask, the best first. */
function askPaths(terminal: Terminal, baseUrl: string, secretId: string): string[] {
  return pendingFolders(terminal).map((folder) => join(folder, "asks", nameOnServer(baseUrl, secretId)));
}
