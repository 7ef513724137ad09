import { join } from "node:path";
import { removeFile } from "../files/durable-files.ts";
import { configFolder } from "../files/paths.ts";
import { readPrivateFile, writePrivateFile } from "../files/private-files.ts";
import { CommandError } from "../terminal/terminal.ts";
import type { Terminal } from "../terminal/terminal.ts";

const SERVICE = "handoff";

/** The user's key store, which is locked with their session; rejects when there is none. */
export type Keychain = Pick<typeof Bun.secrets, "get" | "set" | "delete">;

/** The server and the API key of `handoff login`. */
export interface Login {
  readonly baseUrl: string;
  readonly allowHttp: boolean;
  readonly apiKey: string;
  /** True for a login by the browser, which the server ends at logout. */
  readonly isByBrowser: boolean;
}

/** The content of the file; the key is in it only when there is no keychain. */
interface StoredLogin {
  readonly url: string;
  readonly allow_http: boolean;
  readonly api_key?: string;
  readonly by_browser?: true;
}

/** The path of the file with the login. Throws CommandError when another user owns or can change its folder. */
export function loginFile(terminal: Terminal): string {
  return join(configFolder(terminal), "login.json");
}

/** The login; undefined when there is none. Throws CommandError when it can't be read. */
export async function findLogin(terminal: Terminal, keychain: Keychain = Bun.secrets): Promise<Login | undefined> {
  const stored = readStored(terminal);
  if (!stored) return undefined;
  const apiKey = stored.api_key ?? (await keychain.get({ service: SERVICE, name: stored.url }).catch(() => null));
  if (!apiKey)
    throw new CommandError(
      "Can't read the API key from the keychain. Unlock the keychain, or run 'handoff login' again.",
    );
  return { baseUrl: stored.url, allowHttp: stored.allow_http, apiKey, isByBrowser: stored.by_browser === true };
}

/**
 * Stores a login: the key in the system's keychain if there is one, else in a file. Returns where the key is. Throws
 * CommandError.
 */
export async function saveLogin(
  terminal: Terminal,
  login: Login,
  keychain: Keychain = Bun.secrets,
): Promise<"keychain" | "file"> {
  const file = loginFile(terminal);
  try {
    await removeLogin(terminal, keychain);
  } catch {
    // The keychain doesn't answer: a key in it is replaced, or of no use to this login.
  }
  const by = login.isByBrowser ? ({ by_browser: true } as const) : {};
  const stored: StoredLogin = { url: login.baseUrl, allow_http: login.allowHttp, ...by };
  const isKept = await keepInKeychain(keychain, login);
  const content = isKept ? stored : { ...stored, api_key: login.apiKey };
  writePrivateFile(file, `${JSON.stringify(content, null, 2)}\n`);
  return isKept ? "keychain" : "file";
}

/** Removes the login. Returns its server or undefined. Throws CommandError when the keychain keeps the key. */
export async function removeLogin(terminal: Terminal, keychain: Keychain = Bun.secrets): Promise<string | undefined> {
  let stored: StoredLogin | undefined;
  try {
    stored = readStored(terminal);
  } catch {
    // It is damaged, and removed like any other.
    removeFile(loginFile(terminal));
  }
  if (!stored) return undefined;
  if (stored.api_key === undefined) await forgetKey(keychain, stored.url, loginFile(terminal));
  removeFile(loginFile(terminal));
  return stored.url;
}

/** Throws CommandError when the key may still be in the keychain. */
async function forgetKey(keychain: Keychain, url: string, file: string): Promise<void> {
  try {
    await keychain.delete({ service: SERVICE, name: url });
  } catch (error) {
    throw new CommandError(
      `Can't remove the API key from the keychain. Unlock the keychain, then run 'handoff logout' again. If there is no keychain any more, delete '${file}'.`,
      "failure",
      error,
    );
  }
}

async function keepInKeychain(keychain: Keychain, { baseUrl, apiKey }: Login): Promise<boolean> {
  try {
    await keychain.set({ service: SERVICE, name: baseUrl, value: apiKey });
    return true;
  } catch {
    // This machine has no keychain, or none that answers.
    return false;
  }
}

function readStored(terminal: Terminal): StoredLogin | undefined {
  const text = readPrivateFile(loginFile(terminal));
  if (text === undefined) return undefined;
  try {
    const { url, allow_http: allowHttp, api_key: apiKey, by_browser: byBrowser } = JSON.parse(text);
    if (typeof url === "string")
      return {
        url,
        allow_http: allowHttp === true,
        ...(typeof apiKey === "string" ? { api_key: apiKey } : {}),
        ...(byBrowser === true ? { by_browser: true } : {}),
      };
  } catch {
    // Reported below, like any other content that isn't ours.
  }
  throw new CommandError(`The file '${loginFile(terminal)}' is damaged. Remove it and run 'handoff login' again.`);
}
