import { rmSync } from "node:fs";
import { join } from "node:path";
import { createIdempotencyKey } from "../../client/secrets.ts";
import type { Envelope } from "../../contract/envelopes.ts";
import { pendingFolders, stateFolder } from "../files/paths.ts";
import { createPrivateFile, readPrivateFile, unfinishedPath, writePrivateFile } from "../files/private-files.ts";
import { CommandError } from "../terminal/terminal.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { removeOld } from "./old-files.ts";
import { nameOnServer } from "./server-names.ts";

const WHOLE = /^[A-Za-z0-9+/_.=-]+\n$/;
/** Longer than any server allows repeating a claim. */
const MAX_AGE_MS = 24 * 60 * 60 * 1000;
/**
 * The folders of claims. A claim is repeated without a proof or an approval, so an agent mustn't find those of
 * commands. A person may finish what an agent began.
 */
const COMMANDS = "claims";
const AGENTS = "agent-claims";

/**
 * A claim that may have been made and whose secret is not yet at its destination. Its key is on disk before the claim
 * is sent, so that the claim can be repeated after a crash. The file alone opens nothing: the link is needed too.
 */
export interface PendingClaim {
  readonly idempotencyKey: string;
  /** True when an earlier command began it and didn't finish. */
  readonly isResumed: boolean;
  /** True when it is on disk; only then can another command resume it. */
  readonly isKept: boolean;
  /** The envelope that an earlier attempt got from the server, which doesn't give it out again. */
  readonly envelope: Envelope | undefined;
  /** Keeps an envelope that the server doesn't give out again. Returns whether that succeeded. */
  keepEnvelope(envelope: Envelope): boolean;
  /** Forgets the claim, because the secret is at its destination. */
  finish(): void;
}

/**
 * Begins the claim of a secret, or resumes an earlier one: an agent only those of agents. The claim isn't kept when
 * nothing can be written.
 */
export function openPendingClaim(terminal: Terminal, baseUrl: string, secretId: string): PendingClaim {
  const paths = claimPaths(terminal, baseUrl, secretId, folderOf(terminal));
  for (const folder of pendingFolders(terminal))
    for (const each of [COMMANDS, AGENTS]) removeOld(join(folder, each), MAX_AGE_MS);
  const earlier = findEarlier(terminal, baseUrl, secretId);
  for (const path of earlier === undefined ? paths : [earlier]) {
    const claim = keepClaim(path);
    if (claim) return claim;
  }
  return {
    idempotencyKey: createIdempotencyKey(),
    isResumed: false,
    isKept: false,
    envelope: undefined,
    keepEnvelope: () => false,
    finish: () => undefined,
  };
}

/** True when a claim of this secret, which can be resumed here, was begun and isn't finished. */
export function hasPendingClaim(terminal: Terminal, baseUrl: string, secretId: string): boolean {
  return findEarlier(terminal, baseUrl, secretId) !== undefined;
}

/** The file of a claim that can be resumed here; undefined without one. */
function findEarlier(terminal: Terminal, baseUrl: string, secretId: string): string | undefined {
  const folders = terminal.isAgent ? [AGENTS] : [COMMANDS, AGENTS];
  return folders
    .flatMap((folder) => claimPaths(terminal, baseUrl, secretId, folder))
    .find((path) => read(path) !== undefined);
}

/** Keeps a claim; undefined when nothing can be written there. */
function keepClaim(path: string): PendingClaim | undefined {
  const fresh = createIdempotencyKey();
  try {
    // When two commands open the same secret at once, the second uses the key of the first.
    const isFirst = createPrivateFile(path, `${fresh}\n`);
    const found = isFirst ? fresh : readPrivateFile(path)?.trim();
    if (!found) writePrivateFile(path, `${fresh}\n`);
    const idempotencyKey = found || fresh;
    return { idempotencyKey, isResumed: !isFirst, isKept: true, ...keptEnvelope(path, idempotencyKey) };
  } catch (error) {
    if (error instanceof CommandError) return undefined;
    throw error;
  }
}

function keptEnvelope(
  path: string,
  idempotencyKey: string,
): Pick<PendingClaim, "envelope" | "keepEnvelope" | "finish"> {
  const envelopePath = `${path}.envelope`;
  const ciphertext = findCiphertext(envelopePath);
  return {
    envelope: ciphertext ? { version: 1, ciphertext } : undefined,
    keepEnvelope(envelope) {
      try {
        writePrivateFile(envelopePath, `${envelope.ciphertext}\n`);
        return true;
      } catch {
        // The caller reports that the secret can't be opened again.
        return false;
      }
    },
    finish() {
      try {
        if (readPrivateFile(path)?.trim() !== idempotencyKey) return;
        for (const each of [envelopePath, unfinishedPath(envelopePath)]) rmSync(each, { force: true });
        rmSync(path, { force: true });
      } catch {
        // It is of no more use, and too old in a day.
      }
    },
  };
}

/** The kept ciphertext, also of an interrupted command: its last byte shows that it is complete. Undefined for none. */
function findCiphertext(path: string): string | undefined {
  const text = [path, unfinishedPath(path)].map(read).find((each) => each !== undefined && WHOLE.test(each));
  return text?.trim();
}

/**
 * The content of a file; undefined when it is missing or unreadable, since a file that can't be read isn't ours to
 * resume.
 */
function read(path: string): string | undefined {
  try {
    return readPrivateFile(path);
  } catch {
    return undefined;
  }
}

/** The file of a claim in the state folder. */
export function claimPath(terminal: Terminal, baseUrl: string, secretId: string): string {
  return join(stateFolder(terminal), folderOf(terminal), nameOnServer(baseUrl, secretId));
}

/** The possible paths of that file in a folder of claims, the best first. */
function claimPaths(terminal: Terminal, baseUrl: string, secretId: string, of: string): string[] {
  const name = nameOnServer(baseUrl, secretId);
  return pendingFolders(terminal).map((folder) => join(folder, of, name));
}

function folderOf({ isAgent }: Terminal): string {
  return isAgent ? AGENTS : COMMANDS;
}
