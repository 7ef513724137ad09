import { readSecretLine } from "../../config/secret-files.ts";
import type { Settings } from "../../config/settings.ts";
import { isSmtpUrlShaped, SmtpUrl } from "../../config/smtp-urls.ts";
import type { SmtpUrlParts } from "../../config/smtp-urls.ts";
import type { Brand } from "../../http/options.ts";
import type { MailerOptions, SmtpMailer } from "../../mail/mailer.ts";
import { usageError } from "../terminal/terminal.ts";

const PRODUCT = "handoff";
const WHAT = { what: "the URL of the mail server", short: "the URL", risk: "a password" } as const;
/** The accents of the page without a brand. */
const ACCENT = { light: "#14563f", dark: "#7cd3b1" };

/** Where mails are handed in, and whom they are from. */
export interface MailSettings {
  readonly server: SmtpUrlParts;
  readonly from: MailerOptions["from"];
}

/** Reads the settings for mail; undefined where there is none. Throws CommandError or SettingsError. */
export function readMail(settings: Pick<Settings, "smtpUrl" | "smtpUrlFile" | "mailFrom">): MailSettings | undefined {
  const { smtpUrl, smtpUrlFile, mailFrom } = settings;
  if (mailFrom === undefined || (smtpUrl ?? smtpUrlFile) === undefined) return undefined;
  const url = smtpUrl ?? readSmtpUrl(smtpUrlFile ?? "");
  const server = url.reveal();
  if (!server) throw usageError(url.fault ?? "");
  return { server, from: parseSender(mailFrom) };
}

/** Creates what sends mails with the look of the page at `baseUrl`. */
export async function openMailer(
  { server, from }: MailSettings,
  { baseUrl, brand }: { readonly baseUrl: () => string; readonly brand: Brand },
): Promise<SmtpMailer> {
  const { createMailer } = await import("../../mail/mailer.ts");
  const { colors, name = PRODUCT } = brand;
  const accent = colors ? { light: colors.light.accent, dark: colors.dark.accent } : ACCENT;
  return createMailer({ server, from, look: () => ({ baseUrl: baseUrl(), name, accent }) });
}

function readSmtpUrl(path: string): SmtpUrl {
  if (isSmtpUrlShaped(path)) {
    throw usageError("--smtp-url-file: expected the path of a file with the URL in it, and this is a URL itself");
  }
  return new SmtpUrl(readSecretLine(path, WHAT));
}

/** The setting has checked the form. */
function parseSender(text: string): MailerOptions["from"] {
  const [, name = "", address = text] = /^(.*)<(.*)>$/.exec(text) ?? [];
  return { name: name.trim(), address };
}
