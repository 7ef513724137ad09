import { useState } from "preact/hooks";
import { rememberPasskeyOffer, supportsPasskeys, wasPasskeyOffered } from "../browser/passkeys.ts";
import { Drawing, Icon } from "../frame/icon.tsx";
import { Complaint } from "../parts/complaint.tsx";
import { describeSessionFailure } from "../parts/failures.ts";
import { useTask } from "../parts/tasks.ts";
import type { Person } from "../service/clients.ts";
import { addPasskey, onAccountOf } from "../service/own-account.ts";
import { ACCOUNT } from "../texts/account.ts";
import { describeAdding } from "./passkey-part.tsx";
import { PASSKEY } from "./shapes.ts";

const { passkeys: words } = ACCOUNT.account;

/** True when a person has no passkey, and this browser can make one and has not offered it to them. Never rejects. */
export async function isToBeOffered(person: Person): Promise<boolean> {
  if (!person.ways.includes("passkey") || !supportsPasskeys() || wasPasskeyOffered(person.id)) return false;
  const passkeys = await onAccountOf(person, (account) => account.listPasskeys()).catch(() => undefined);
  return passkeys?.length === 0;
}

/** Offers a passkey, once. `onDone` is called when the person wants none. */
export function PasskeyOffer({ person, onDone }: { readonly person: Person; readonly onDone: () => void }) {
  const [said, setSaid] = useState("");
  const task = useTask((error) => describeSessionFailure(error).text);
  const isBusy = task.progress !== "";
  const add = () => {
    rememberPasskeyOffer(person.id);
    void task.run(async (say) => {
      say(words.adding);
      const result = describeAdding(await addPasskey(person));
      if ("complaint" in result) return result.complaint;
      setSaid(result.said);
      return undefined;
    });
  };
  const refuse = () => {
    rememberPasskeyOffer(person.id);
    onDone();
  };
  return (
    <div class={said === "" ? "notice" : "notice good"}>
      {said === "" ? <Drawing shape={PASSKEY} /> : <Icon name="check" />}
      <div class="notice-row">
        <p role="status">{said || words.offer}</p>
        {said === "" && (
          <div class="buttons">
            <button type="button" class="button" aria-disabled={isBusy} onClick={add}>
              {isBusy ? words.adding : words.add}
            </button>
            <button type="button" class="button text" onClick={refuse}>
              {words.later}
            </button>
          </div>
        )}
        <Complaint text={task.complaint} />
      </div>
    </div>
  );
}
