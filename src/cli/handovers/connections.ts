import { Option } from "commander";
import type { Command } from "commander";
import { unexpected } from "../../client/answers.ts";
import { isLoopback, parseBaseUrl } from "../../client/base-urls.ts";
import type { ClientError } from "../../client/errors.ts";
import { createHttpClient } from "../../client/http-client.ts";
import type { Fetch, HttpClient } from "../../client/http-client.ts";
import { isProvided } from "../../config/provided-files.ts";
import { parseTokenKind } from "../../contract/tokens.ts";
import { readCredential } from "../files/private-files.ts";
import { getKeptRequest } from "../state/kept-requests.ts";
import type { KeptRequest } from "../state/kept-requests.ts";
import { findLogin } from "../state/logins.ts";
import { CommandError, remark, usageError } from "../terminal/terminal.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { toCertificateError } from "./certificate-errors.ts";

export interface ConnectionFlags {
  readonly allowHttp?: boolean;
  readonly json?: boolean;
}

/** Gives `command` the flags for calls to a server. */
export function addConnectionFlags(command: Command): Command {
  return command
    .option("--json", "Print output and errors as JSON.")
    .addOption(new Option("--allow-http", "Allow unencrypted HTTP to other machines. [HANDOFF_ALLOW_HTTP]"));
}

/** A client of the user's server, with their API key. Throws CommandError and ClientError. */
export async function connect(terminal: Terminal, flags: ConnectionFlags, signal?: AbortSignal): Promise<HttpClient> {
  const { baseUrl, apiKey } = await resolveAccess(terminal, flags);
  return createHttpClient({
    baseUrl,
    credential: apiKey,
    signal,
    fetch: quietFetch,
    onRetry: tellRetry(terminal, flags),
  });
}

/**
 * A request that was made here, and a client of its server. Throws CommandError when the login is for another server.
 */
export async function connectFor(
  terminal: Terminal,
  id: string,
  flags: ConnectionFlags,
): Promise<{ readonly kept: KeptRequest; readonly client: HttpClient }> {
  // This check comes before any message about the login.
  getKeptRequest(terminal, id);
  const client = await connect(terminal, flags, terminal.interruptible());
  const kept = getKeptRequest(terminal, id, client.baseUrl);
  checkServer(client, kept);
  return { kept, client };
}

/** Throws CommandError when a request was made on another server. */
export function checkServer({ baseUrl }: HttpClient, kept: Pick<KeptRequest, "id" | "baseUrl">): void {
  if (baseUrl === kept.baseUrl) return;
  throw usageError(`${kept.id} was made on ${kept.baseUrl}, and you're logged in to ${baseUrl}.`);
}

/** A client of the server at `baseUrl` with the token of a link. Throws ClientError. */
export function connectByLink(
  terminal: Terminal,
  flags: ConnectionFlags,
  link: { readonly baseUrl: string; readonly token: string },
  signal?: AbortSignal,
): HttpClient {
  const baseUrl = parseBaseUrl(link.baseUrl, allowsHttp(terminal, flags));
  const isOfLink = true;
  const onRetry = tellRetry(terminal, flags);
  return createHttpClient({ baseUrl, credential: link.token, signal, isOfLink, fetch: quietFetch, onRetry });
}

/** A client of the server at `baseUrl` with the login of a person by the browser; undefined without one for it. */
export async function connectAsPerson(terminal: Terminal, baseUrl: string): Promise<HttpClient | undefined> {
  // What can't be read is no login of anybody.
  const login = await findLogin(terminal).catch(() => undefined);
  if (!login?.isByBrowser || login.baseUrl !== baseUrl) return undefined;
  return createHttpClient({ baseUrl, credential: login.apiKey, signal: terminal.interruptible(), fetch: quietFetch });
}

/**
 * Bun's fetch, without two effects of environment variables. They can make it print requests with their headers, and
 * send plain HTTP through a proxy, which could read the credential. Calls to this machine use no proxy; TLS to other
 * machines passes through it unread. Rejects with ClientError for a compressed answer, which was not asked for: Bun
 * prints to standard error what it can't decompress.
 */
export const quietFetch: Fetch = async (url, init) => {
  const { protocol, hostname } = new URL(url);
  const isTunneled = protocol === "https:" && !isLoopback(hostname);
  const headers = new Headers(init?.headers);
  headers.set("accept-encoding", "identity");
  const options = { ...init, headers, decompress: false, verbose: false, ...(isTunneled ? {} : { proxy: false }) };
  const response = await fetch(url, options).catch((error: unknown) => {
    throw toCertificateError(error) ?? error;
  });
  const encoding = response.headers.get("content-encoding") ?? "identity";
  if (encoding.trim().toLowerCase() === "identity") return response;
  await response.body?.cancel();
  throw unexpected(
    `The answer is compressed, which this program doesn't ask for (HTTP ${response.status}).`,
    "Check the server URL, and whether a proxy in front of the server compresses what passes through it.",
  );
};

/** True when unencrypted HTTP to other machines is allowed. */
export function allowsHttp({ env }: Terminal, { allowHttp }: ConnectionFlags): boolean {
  return allowHttp === true || env["HANDOFF_ALLOW_HTTP"] === "1" || env["HANDOFF_ALLOW_HTTP"] === "true";
}

/** The API key that a connection would use; undefined when there is none, or it can't be read. */
export async function findApiKey(terminal: Terminal, flags: ConnectionFlags): Promise<string | undefined> {
  try {
    return (await resolveAccess(terminal, flags)).apiKey;
  } catch {
    // The command that needs the key reports the error.
    return undefined;
  }
}

/** Parses a key that somebody typed or stored. Throws CommandError when it isn't one. */
export function parseApiKey(text: string, source: string): string {
  const key = text.trim();
  switch (parseTokenKind(key)) {
    case "apiKey":
      return key;
    case undefined:
      throw new CommandError(
        `${source} isn't an API key. An API key has 42 characters and starts with hak_.`,
        "credential",
      );
    default:
      throw new CommandError(
        `${source} isn't an API key, but another kind of token. An API key starts with hak_.`,
        "credential",
      );
  }
}

/** The environment comes before the login. A key is only used for the server that it was given for. */
async function resolveAccess(terminal: Terminal, flags: ConnectionFlags): Promise<{ baseUrl: string; apiKey: string }> {
  const givenUrl = terminal.env["HANDOFF_URL"] || undefined;
  const givenKey = await keyFromEnvironment(terminal);
  const login = givenUrl !== undefined && givenKey !== undefined ? undefined : await findLogin(terminal);
  const allowHttp = allowsHttp(terminal, flags) || (givenUrl === undefined && login?.allowHttp === true);
  const url = givenUrl ?? login?.baseUrl;
  if (url === undefined)
    throw usageError("No server is set. Run 'handoff login', or set HANDOFF_URL and HANDOFF_API_KEY_FILE.");
  const baseUrl = parseBaseUrl(url, allowHttp);
  const apiKey = givenKey ?? (login?.baseUrl === baseUrl ? login.apiKey : undefined);
  if (apiKey === undefined) {
    throw new CommandError(
      `No API key for ${baseUrl} is set. Run 'handoff login', or set HANDOFF_API_KEY_FILE.`,
      "credential",
    );
  }
  return { baseUrl, apiKey };
}

/** The API key in the environment, or in the file that it names; undefined for none. Rejects with a CommandError. */
export async function keyFromEnvironment(terminal: Terminal): Promise<string | undefined> {
  const { env } = terminal;
  const [key, file] = [env["HANDOFF_API_KEY"], env["HANDOFF_API_KEY_FILE"]];
  if (key) return parseApiKey(key, "HANDOFF_API_KEY");
  if (!file) return undefined;
  const text = await readCredential(terminal, file, isProvided);
  if (text === undefined) throw usageError(`Can't read HANDOFF_API_KEY_FILE: there is no file '${file}'.`);
  return parseApiKey(text, "The content of HANDOFF_API_KEY_FILE");
}

function tellRetry(terminal: Terminal, { json }: ConnectionFlags) {
  return ({ meaning }: ClientError, pauseMs: number) => {
    const seconds = Math.max(1, Math.round(pauseMs / 1000));
    if (!json) remark(terminal, `${meaning} Trying again in ${seconds} ${seconds === 1 ? "second" : "seconds"}…`);
  };
}

/** Reports an outage once, and not for every attempt. Prints nothing with --json. */
export function tellLost(terminal: Terminal, { json }: ConnectionFlags, until: () => string) {
  return ({ meaning }: ClientError, failures: number) => {
    if (!json && failures === 1) remark(terminal, `${meaning} Trying again${until()}…`);
  };
}
