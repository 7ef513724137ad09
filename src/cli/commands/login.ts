import { hostname } from "node:os";
import type { Command } from "commander";
import { encodeQR } from "qr";
import { parseBaseUrl } from "../../client/base-urls.ts";
import { getCredential } from "../../client/credentials.ts";
import { pause } from "../../client/deadlines.ts";
import { ClientError } from "../../client/errors.ts";
import { createHttpClient } from "../../client/http-client.ts";
import { interrupted } from "../../client/network-errors.ts";
import { beginLogin, endLogin, pollLogin } from "../../client/signing-in/logins.ts";
import type { LoginServer } from "../../client/signing-in/logins.ts";
import { MAX_MACHINE_LENGTH } from "../../contract/limits.ts";
import { readPrivateFile } from "../files/private-files.ts";
import { addConnectionFlags, allowsHttp, parseApiKey, quietFetch } from "../handovers/connections.ts";
import type { ConnectionFlags } from "../handovers/connections.ts";
import { findLogin, loginFile, saveLogin } from "../state/logins.ts";
import { CommandError, formatJson, printable, remark, usageError } from "../terminal/terminal.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { formatTime } from "../terminal/times.ts";

interface LoginFlags extends ConnectionFlags {
  readonly url?: string;
  readonly keyFile?: string;
  readonly browser?: boolean;
  readonly qr?: boolean;
}

/** `handoff login` */
export function addLogin(program: Command, terminal: Terminal): void {
  addConnectionFlags(program.command("login"))
    .description("Save your server URL and API key, after checking both.")
    .option("--url <url>", "The server URL. Without it, you are asked for it.")
    .option("--key-file <file>", "Read the API key from a file. Without it, from a prompt or standard input.")
    .option("--browser", "Log in as yourself, for 12 hours: you are shown a code to enter at the page.")
    .option("--qr", "With --browser, also show the page's address with the code as a QR code.")
    .addHelpText("after", HELP)
    .action((flags: LoginFlags) => login(terminal, flags));
}

const HELP = `
A login by the browser lasts for 12 hours, or until you sign out of the browser
in which you entered the code.

Examples:
  handoff login
  handoff login --browser --url https://handoff.example
  handoff login --url https://handoff.example < key.txt`;

async function login(terminal: Terminal, flags: LoginFlags): Promise<void> {
  if (flags.browser && flags.keyFile !== undefined) throw usageError("--browser and --key-file exclude each other.");
  if (flags.qr && !flags.browser) throw usageError("--qr is for --browser.");
  const url = flags.url ?? (await terminal.ask("Server URL: "));
  if (!url) throw usageError("No server URL was given. Add --url.");
  const allowHttp = allowsHttp(terminal, flags);
  const baseUrl = parseBaseUrl(url, allowHttp);
  const signal = terminal.interruptible();
  const server = { baseUrl, fetch: quietFetch, signal };
  const apiKey = parseApiKey(
    flags.browser ? await askPerson(terminal, flags, server) : await readKey(terminal, flags),
    "This",
  );
  const client = createHttpClient({ baseUrl, credential: apiKey, signal, fetch: quietFetch });
  const { identity, team, scopes, expires_at: expiresAt } = await getCredential(client);
  const former = await findLogin(terminal).catch(() => undefined);
  const place = await saveLogin(terminal, { baseUrl, allowHttp, apiKey, isByBrowser: flags.browser === true });
  // Nothing could end it any more, but for its person at the page.
  if (former?.isByBrowser) await endLogin({ ...former, fetch: quietFetch }, former.apiKey);
  if (flags.json) {
    const [who, whose] = [identity?.name ?? null, team?.name ?? null];
    terminal.out(
      formatJson({ url: baseUrl, identity: who, team: whose, scopes, expires_at: expiresAt, kept_in: place }),
    );
    return;
  }
  remark(
    terminal,
    `Logged in to ${baseUrl} as '${identity?.name ?? "-"}' of the team '${team?.name ?? "-"}'. Scopes: ${scopes.join(" ") || "none"}.`,
  );
  if (flags.browser && expiresAt !== null) {
    remark(terminal, `It lasts until ${formatTime(expiresAt)}, or until you sign out of that browser.`);
  }
  remark(
    terminal,
    place === "keychain"
      ? "The API key is in the keychain of this system."
      : `No keychain could be used. The API key is in '${loginFile(terminal)}', which only you can read.`,
  );
}

/** Has the person let this terminal in at the page. Resolves the API key. Throws CommandError and ClientError. */
async function askPerson(terminal: Terminal, { qr }: LoginFlags, server: LoginServer): Promise<string> {
  const machine = printable(hostname()).slice(0, MAX_MACHINE_LENGTH) || "unknown";
  const begun = await beginLogin(server, machine);
  const minutes = Math.round(begun.expires_in / 60);
  // Even with --quiet: without the code nothing goes on.
  terminal.say(
    `Open ${printable(begun.verification_uri)} in a browser and enter this code within ${minutes} minutes:\n\n    ${printable(begun.user_code)}\n`,
  );
  const { origin } = new URL(server.baseUrl);
  if (!begun.verification_uri.startsWith(`${origin}/`)) {
    terminal.say(
      `Careful: that address isn't at ${origin}, which you named. Go on only if you know that both are the same server. Otherwise ${origin} would get your login there.\n`,
    );
  }
  if (qr) terminal.say(encodeQR(begun.verification_uri_complete, "ascii"));
  const end = AbortSignal.timeout(begun.expires_in * 1000);
  for (;;) {
    await pause(Math.max(1, begun.interval) * 1000, server.signal);
    if (server.signal.aborted) throw interrupted();
    const answer = await pollLogin(server, begun.device_code).catch((error: unknown) => {
      // The network may be away for a while, as on a train.
      if (error instanceof ClientError && error.kind === "network" && !server.signal.aborted) return undefined;
      throw error;
    });
    if (answer?.state === "refused") throw new CommandError("The login was refused at the page.", "credential");
    if (answer?.state === "approved" && answer.api_key !== null) return answer.api_key;
    if (end.aborted) throw new CommandError("Nobody entered the code in time. Run the command again.", "credential");
  }
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
