import type { WebhookCaller } from "../../domain/ports/webhooks.ts";
import type { Service } from "../../domain/service.ts";
import { createWebhookSender } from "../../domain/webhooks/sender.ts";
import type { WebhookSender } from "../../domain/webhooks/sender.ts";
import { reportFailures } from "./background-failures.ts";
import type { ServerLog } from "./logs.ts";
import { VERSION } from "./version.ts";

/** How often the server looks for events that other processes wrote, and for retries that are due. */
const LOOK_INTERVAL_MS = 1000;

/** Sends events to webhooks once `opened` has resolved, until it is stopped. */
export function startWebhooks(
  { store, clock, random }: Service,
  log: ServerLog,
  opened: Promise<void> = Promise.resolve(),
): WebhookSender {
  const sender = createWebhookSender({
    store,
    clock,
    random,
    caller: createLazyCaller(),
    onError: reportFailures(log, "webhooks can't be read or noted, and are tried again"),
    onGone: ({ id }) => log.warn({ webhook: id }, "webhook paused: its receiver answered 410"),
    onSkip: ({ id }, event) => log.warn({ webhook: id, event }, "webhook given up for this event"),
  });
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const start = () => {
    if (isStopped) return;
    timer = setInterval(() => void sender.look(), LOOK_INTERVAL_MS);
    timer.unref();
  };
  void opened.then(start);
  return {
    ...sender,
    stop() {
      isStopped = true;
      clearInterval(timer);
      return sender.stop();
    },
  };
}

/** The caller is loaded with its first call, so that a server without webhooks doesn't need it. */
function createLazyCaller(): WebhookCaller {
  let caller: Promise<WebhookCaller> | undefined;
  const load = async () => (await import("../../webhooks/calls.ts")).createCaller({ version: VERSION });
  return { call: async (...args) => (await (caller ??= load())).call(...args) };
}
