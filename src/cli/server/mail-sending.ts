import { createNoticer } from "../../domain/mails/noticer.ts";
import { createMailSender } from "../../domain/mails/sender.ts";
import type { MailSender } from "../../domain/mails/sender.ts";
import type { Mailer } from "../../domain/ports/mails.ts";
import type { Service } from "../../domain/service.ts";
import { reportFailures } from "./background-failures.ts";
import type { ServerLog } from "./logs.ts";

/** How often the server looks for mails that other processes queued, and for those to be tried again. */
const LOOK_INTERVAL_MS = 1000;

/** Sends queued mails once `opened` has resolved, until it is stopped. `open` is called for the first of them. */
export function startMails(
  { store, clock, policy, random }: Service,
  { open, contact }: { readonly open: () => Promise<Mailer>; readonly contact: string | undefined },
  log: ServerLog,
  opened: Promise<void> = Promise.resolve(),
): MailSender {
  const onError = reportFailures(log, "mails can't be read or noted, and are tried again");
  const noticer = createNoticer({ store, clock, random, contact: addressOf(contact), onError });
  let mailer: Promise<Mailer> | undefined;
  const sender = createMailSender({
    store,
    clock,
    mailer: { send: async (...args) => (await (mailer ??= open())).send(...args) },
    domains: policy.signInDomains,
    onError,
    onFailure: ({ id, kind, tries }, result, reason) => {
      // One whose time is over isn't tried any more.
      const of = { mail: id, kind, tries: result === "expired" ? tries : tries + 1, reason };
      log.warn(of, result === "delayed" ? "mail not sent, and tried again" : "mail given up");
    },
  });
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const start = () => {
    if (isStopped) return;
    timer = setInterval(() => void noticer.look().then(sender.look), LOOK_INTERVAL_MS);
    timer.unref();
  };
  void opened.then(start);
  return {
    ...sender,
    stop() {
      isStopped = true;
      clearInterval(timer);
      noticer.stop();
      return sender.stop();
    },
  };
}

/** The address of a contact for mails; undefined for a contact of another kind. */
function addressOf(contact: string | undefined): string | undefined {
  return /^mailto:([^?]+)/.exec(contact ?? "")?.[1];
}
