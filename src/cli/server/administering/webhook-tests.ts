import { toIsoTime } from "../../../contract/times.ts";
import type { CallFailure, CallTarget } from "../../../domain/ports/webhooks.ts";
import { createCaller } from "../../../webhooks/calls.ts";
import { TEST_TYPE } from "../../../webhooks/sentences.ts";
import { toLine } from "../../terminal/terminal.ts";
import { VERSION } from "../version.ts";

/** The outcome of a test call: as a sentence for people, and as facts for programs. */
interface TriedWebhook {
  readonly isFine: boolean;
  readonly text: string;
  readonly facts: object;
}

const REASONS: Readonly<Record<CallFailure, string>> = {
  name_not_found: "its name can't be found. Check the URL and the DNS",
  address_refused: "its name leads to an address that isn't called. Check the URL and the DNS",
  unreachable:
    "it can't be reached, or its answer isn't HTTP. Check the URL, and whether a firewall lets this machine out",
  tls_untrusted:
    "its certificate can't be verified. To trust a CA of your own, set NODE_EXTRA_CA_CERTS, for the server too",
  timed_out: "it didn't answer within 10 seconds",
};

const SHOWN_LENGTH = 200;

/** Calls a webhook with an event that is in no log. */
export async function tryWebhook(target: CallTarget, eventId: string, now: number): Promise<TriedWebhook> {
  const event = { secret_id: null, request_id: null, identity: null, actor: null, reference: null, ask: null };
  const told = { id: eventId, type: TEST_TYPE, created_at: toIsoTime(now), ...event };
  const begun = performance.now();
  const { answer, body } = await createCaller({ version: VERSION }).callFully(target, told, now);
  const duration = Math.round(performance.now() - begun);
  const facts = { event_id: eventId, duration_ms: duration };
  const { host } = new URL(target.url);
  if ("failure" in answer) {
    const { failure } = answer;
    const text = `Can't tell ${host}: ${REASONS[failure]}.`;
    return { isFine: false, text, facts: { ...facts, status: null, failure, answer: null } };
  }
  const { status } = answer;
  const beginning = toLine(body).trim().slice(0, SHOWN_LENGTH);
  const said = beginning === "" ? "" : ` and said: ${beginning}`;
  return {
    isFine: status >= 200 && status < 300,
    text: `${host} answered ${status} in ${duration} ms${said}`,
    facts: { ...facts, status, failure: null, answer: beginning },
  };
}
