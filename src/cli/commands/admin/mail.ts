import type { Command } from "commander";
import { loadSettings } from "../../../config/load.ts";
import { systemRandom } from "../../../domain/values/random.ts";
import { readBrand } from "../../server/brand/brands.ts";
import { openMailer, readMail } from "../../server/mail-settings.ts";
import { addSettings } from "../../server/setting-options.ts";
import { formatJson, toLine, usageError } from "../../terminal/terminal.ts";
import type { Terminal } from "../../terminal/terminal.ts";

const ID_BYTES = 16;
/** The settings that a mail depends on. */
const MAIL_IDS = ["smtpUrl", "smtpUrlFile", "mailFrom", "baseUrl", "brandName", "brandColor"] as const;

/** `handoff admin mail test` */
export function addMail(admin: Command, terminal: Terminal, exitWith: (code: number) => void): void {
  const mail = admin.command("mail").description("Mail: how the server sends codes and notices.");
  const command = mail
    .command("test")
    .argument("<address>", "Where the mail goes.")
    .description("Send a test mail now, and say what goes wrong.")
    .option("--json", "Print JSON.")
    .addHelpText("after", HELP);
  addSettings(command, MAIL_IDS).action(async (address: string, flags: Record<string, unknown>) => {
    const settings = loadSettings(flags, terminal.env);
    const read = readMail(settings);
    if (!read) {
      throw usageError(
        "no mail server is set. Set HANDOFF_SMTP_URL and --mail-from, or run this with sudo to use the settings of the service",
      );
    }
    if (!/^[^\s@]+@[^\s@]+$/.test(address)) throw usageError("expected a mail address, such as ann@example.com");
    const { baseUrl = "http://localhost" } = settings;
    const mailer = await openMailer(read, { baseUrl: () => baseUrl, brand: readBrand(settings) });
    const id = systemRandom.bytes(ID_BYTES).toHex();
    const outcome = await mailer.send({ kind: "test", id, address, language: "en" });
    const { host } = read.server;
    const [reason, reply] = outcome.result === "sent" ? [null, null] : [outcome.reason, outcome.reply ?? null];
    if (outcome.result !== "sent") exitWith(1);
    // Nothing tries this mail again.
    const result = outcome.result === "delayed" ? "failed" : outcome.result;
    if (flags["json"]) return terminal.out(formatJson({ result, reason, reply }));
    if (reason === null) return terminal.out(`${host} took the mail.\n`);
    const said = reply === null ? "" : `\nIt said: ${toLine(reply)}`;
    return terminal.out(`Not sent: ${reason}${said}\n`);
  });
}

const HELP = `
This command hands the mail in itself: it works without the server, which may
get elsewhere than you do. It uses the settings of the service 'handoff', which
root can read, or those that are given. The exit code is 0 when the mail server
took the mail, else 1. Whether it arrives, only its recipient sees. With --json,
'result' is 'sent', 'refused' (the recipient or the mail, for good) or 'failed'.

Example:
  sudo handoff admin mail test ann@example.com`;
