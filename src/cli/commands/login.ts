import type { Command } from "commander";
import { parseBaseUrl } from "../../client/base-urls.ts";
import { createHttpClient } from "../../client/http-client.ts";
import { getCredential } from "../../client/secrets.ts";
import { readPrivateFile } from "../files/private-files.ts";
import { addConnectionFlags, allowsHttp, parseApiKey, quietFetch } from "../handovers/connections.ts";
import type { ConnectionFlags } from "../handovers/connections.ts";
import { loginFile, saveLogin } from "../state/logins.ts";
import { formatJson, remark, usageError } from "../terminal/terminal.ts";
import type { Terminal } from "../terminal/terminal.ts";

interface LoginFlags extends ConnectionFlags {
  readonly url?: string;
  readonly keyFile?: string;
}

/** `handoff login` */
export function addLogin(program: Command, terminal: Terminal): void {
  addConnectionFlags(program.command("login"))
    .description("Save your server URL and API key, after checking both.")
    .option("--url <url>", "The server URL. Without it, you are asked for it.")
    .option("--key-file <file>", "Read the API key from a file. Without it, from a prompt or standard input.")
    .addHelpText("after", "\nExamples:\n  handoff login\n  handoff login --url https://handoff.example < key.txt")
    .action((flags: LoginFlags) => login(terminal, flags));
}

async function login(terminal: Terminal, flags: LoginFlags): Promise<void> {
  const url = flags.url ?? (await terminal.ask("Server URL: "));
  if (!url) throw usageError("No server URL was given. Add --url.");
  const allowHttp = allowsHttp(terminal, flags);
  const baseUrl = parseBaseUrl(url, allowHttp);
  const apiKey = parseApiKey(await readKey(terminal, flags), "This");
  const client = createHttpClient({ baseUrl, credential: apiKey, signal: terminal.interruptible(), fetch: quietFetch });
  const { identity, team, scopes } = await getCredential(client);
  const place = await saveLogin(terminal, { baseUrl, allowHttp, apiKey });
  if (flags.json) {
    terminal.out(
      formatJson({ url: baseUrl, identity: identity?.name ?? null, team: team?.name ?? null, scopes, kept_in: place }),
    );
    return;
  }
  remark(
    terminal,
    `Logged in to ${baseUrl} as '${identity?.name ?? "-"}' of the team '${team?.name ?? "-"}'. Scopes: ${scopes.join(" ") || "none"}.`,
  );
  remark(
    terminal,
    place === "keychain"
      ? "The API key is in the keychain of this system."
      : `No keychain could be used. The API key is in '${loginFile(terminal)}', which only you can read.`,
  );
}

async function readKey(terminal: Terminal, { keyFile }: LoginFlags): Promise<string> {
  if (keyFile !== undefined) {
    const text = readPrivateFile(keyFile);
    if (text === undefined) throw usageError(`Can't read '${keyFile}': there is no such file.`);
    return text;
  }
  if (!terminal.isTerminal.in) return new TextDecoder().decode(await terminal.readAll());
  const typed = await terminal.ask("API key (not shown): ", { hidden: true });
  if (!typed) throw usageError("No API key was given.");
  return typed;
}
