import type { Settings } from "../../config/settings.ts";
import { openMailer, readMail } from "../server/mail-settings.ts";
import { failed, fine, sentenceOf } from "./findings.ts";
import type { Finding } from "./findings.ts";

/** Connects to the mail server and logs in, without sending anything. No finding without mail. */
export async function checkMail(settings: Settings): Promise<Finding[]> {
  try {
    const mail = readMail(settings);
    if (!mail) return [];
    const mailer = await openMailer(mail, { baseUrl: () => settings.baseUrl ?? "http://localhost", brand: {} });
    const fault = await mailer.check();
    const { host, port } = mail.server;
    if (fault) return [failed("mail", `${fault.reason} Codes to sign in can't be sent.`)];
    return [fine("mail", `${host} takes mails at port ${port}. To send one: handoff admin mail test ADDRESS`)];
  } catch (error) {
    return [failed("mail", sentenceOf(error))];
  }
}
