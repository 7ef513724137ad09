import { Webhook } from "standardwebhooks";
import { idPattern } from "../contract/ids.ts";
import { toHarmlessAddress } from "../domain/addressees.ts";
import type { CallTarget, ToldEvent } from "../domain/ports/webhooks.ts";
import { describeEvent } from "./sentences.ts";

/** The headers and the body of a call. */
export interface Message {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The message about an event in the format of a webhook, signed at `now`. */
export function toMessage(target: CallTarget, event: ToldEvent, now: number): Message {
  switch (target.format) {
    case "standard":
      return toStandard(target, event, now);
    case "chat":
      return {
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ text: asCode(describeEvent(event).sentence, event) }),
      };
    case "ntfy": {
      const { title, sentence } = describeEvent(event);
      return { headers: { "content-type": "text/plain; charset=utf-8", title }, body: sentence };
    }
  }
}

/** The message of Standard Webhooks. During a rotation, both secrets sign. */
function toStandard(target: CallTarget, event: ToldEvent, now: number): Message {
  const body = JSON.stringify({ type: event.type, timestamp: event.created_at, data: event });
  const { secret, formerSecret, formerSecretUntil } = target;
  const isFormerValid = formerSecretUntil !== null && now < formerSecretUntil;
  const signatures = [secret, isFormerValid ? formerSecret : null].flatMap((each) =>
    each === null ? [] : new Webhook(each).sign(event.id, new Date(now), body),
  );
  const headers = {
    "content-type": "application/json",
    "webhook-id": event.id,
    "webhook-timestamp": String(Math.floor(now / 1000)),
    "webhook-signature": signatures.join(" "),
  };
  return { headers, body };
}

const ID = new RegExp(String.raw`\b${idPattern("secret", "request", "identity")}\b`, "g");

/** Puts the ids and the address of a sentence in code font: elsewhere, chats find markup and links in them. */
function asCode(sentence: string, { actor }: ToldEvent): string {
  const inCode = (text: string) => text.replace(ID, "`$&`");
  const address = toHarmlessAddress(actor?.address ?? "");
  return address === "" ? inCode(sentence) : sentence.split(address).map(inCode).join(`\`${address}\``);
}
