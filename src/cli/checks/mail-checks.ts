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
    const { host, port, user } = mail.server;
    if (fault) return [failed("mail", `${fault.reason} Codes to sign in can't be sent.`)];
    const taken = `${host} takes the connection${user === undefined ? "" : " and the login"} at port ${port}.`;
    return [
      fine(
        "mail",
        `${taken} Whether it takes the sender's address, only a mail shows: handoff admin mail test ADDRESS`,
      ),
    ];
  } catch (error) {
    return [failed("mail", sentenceOf(error))];
  }
}
