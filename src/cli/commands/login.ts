import type { Command } from "commander";
import { parseBaseUrl } from "../../client/base-urls.ts";
import { createHttpClient } from "../../client/http-client.ts";
import { getCredential } from "../../client/secrets.ts";
import { addConnectionFlags, allowsHttp, type ConnectionFlags, parseApiKey, quietFetch } from "../connections.ts";
import { loginFile, saveLogin } from "../logins.ts";
import { readPrivateFile } from "../private-files.ts";
import { printable, type Terminal, usageError } from "../terminal.ts";

interface LoginFlags extends ConnectionFlags {
  readonly url?: string;
  readonly keyFile?: string;
}

/** `handoff login` */
export function addLogin(program: Command, terminal: Terminal): void {
  addConnectionFlags(program.command("login"))
    .description("Tell this command your server and API key. Both are checked, and kept for the next calls.")
    .option("--url <url>", "The address of the server; asked for without it.")
    .option("--key-file <file>", "Take the key from a file; asked for without it, or read from standard input.")
    .addHelpText("after", "\nExamples:\n  handoff login\n  handoff login --url https://handoff.example < key.txt")
    .action((flags: LoginFlags) => login(terminal, flags));
}

async function login(terminal: Terminal, flags: LoginFlags): Promise<void> {
  const url = flags.url ?? (await terminal.ask("Address of the server: "));
  if (!url) throw usageError("no address was given: add --url");
  const allowHttp = allowsHttp(terminal, flags);
  const baseUrl = parseBaseUrl(url, allowHttp);
  const apiKey = parseApiKey(await readKey(terminal, flags), "this");
  const client = createHttpClient({ baseUrl, credential: apiKey, signal: terminal.interruptible(), fetch: quietFetch });
  const { identity, team, scopes } = await getCredential(client);
  const place = await saveLogin(terminal, { baseUrl, allowHttp, apiKey });
  if (flags.json) {
    terminal.out(
      `${JSON.stringify({ url: baseUrl, identity: identity?.name, team: team?.name, scopes, kept_in: place })}\n`,
    );
    return;
  }
  terminal.say(
    `Logged in to ${baseUrl} as '${printable(identity?.name ?? "-")}' of the team '${printable(team?.name ?? "-")}'. It may: ${scopes.join(" ")}`,
  );
  terminal.say(
    place === "keychain"
      ? "The key is in the keychain of this system."
      : `There is no keychain here: the key is in '${loginFile(terminal)}', which only you can read.`,
  );
}

async function readKey(terminal: Terminal, { keyFile }: LoginFlags): Promise<string> {
  if (keyFile !== undefined) {
    const text = readPrivateFile(keyFile);
    if (text === undefined) throw usageError(`--key-file: there is no file '${keyFile}'`);
    return text;
  }
  if (!terminal.isTerminal.in) return new TextDecoder().decode(await terminal.readAll());
  const typed = await terminal.ask("API key (not shown): ", { hidden: true });
  if (!typed) throw usageError("no key was given");
  return typed;
}
