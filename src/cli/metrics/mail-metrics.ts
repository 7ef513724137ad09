import { Counter } from "prom-client";
import type { Registry } from "prom-client";
import type { MailSender } from "../../domain/mails/sender.ts";

/** Registers the tries to send mails. Returns a function that updates them and never throws. */
export function createMailMetrics(registry: Registry, sender: Pick<MailSender, "counts">): () => void {
  const mails = new Counter({
    name: "handoff_mails_total",
    help: "Tries to send mails by kind and result: sent, delayed and tried again, refused, or expired before they were sent.",
    labelNames: ["kind", "result"],
    registers: [registry],
  });
  return () => {
    mails.reset();
    for (const { kind, result, count } of sender.counts()) mails.inc({ kind, result }, count);
  };
}
