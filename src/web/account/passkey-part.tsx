import { MAX_PASSKEYS } from "../../contract/limits.ts";
import type { Passkey } from "../../contract/persons.ts";
import { supportsPasskeys } from "../browser/passkeys.ts";
import { askFirst } from "../frame/dialogs.tsx";
import { Drawing, Icon } from "../frame/icon.tsx";
import { formatTime } from "../parts/formats.ts";
import type { Person } from "../service/clients.ts";
import { addPasskey, removePasskey } from "../service/own-account.ts";
import type { AddedPasskey } from "../service/own-account.ts";
import { ACCOUNT } from "../texts/account.ts";
import { AccountPart, useChanges } from "./account-part.tsx";
import { nameBrowser } from "./browser-names.ts";
import { PASSKEY } from "./shapes.ts";

const { account } = ACCOUNT;
const { passkeys: words } = account;
/** In place of the ID of a passkey that is still to be made. */
const NEW = "new";

/** The passkeys of a person, which they add and remove. */
export function PasskeyPart(props: {
  readonly person: Person;
  readonly passkeys: readonly Passkey[];
  readonly onChanged: () => Promise<void>;
}) {
  const { person, passkeys, onChanged } = props;
  const changes = useChanges();
  const { busy } = changes;
  const add = () =>
    changes.run(NEW, async () => {
      const result = await addPasskey(person);
      if (result === "added") await onChanged();
      return describeAdding(result);
    });
  const remove = async ({ id }: Passkey) => {
    if (busy !== "" || !(await askFirst({ ...words.sure, isDangerous: true }))) return;
    changes.run(
      id,
      async () => {
        await removePasskey(person, id);
        await onChanged();
        return { said: words.isRemoved };
      },
      { takesAway: true },
    );
  };
  return (
    <AccountPart id="passkeys" title={words.title} changes={changes}>
      <p class="quiet">{words.what}</p>
      {passkeys.length === 0 && <p>{words.none}</p>}
      <ul class="things">
        {passkeys.map((passkey) => (
          <PasskeyRow
            key={passkey.id}
            passkey={passkey}
            isBusy={busy === passkey.id}
            onRemove={() => void remove(passkey)}
          />
        ))}
      </ul>
      {!supportsPasskeys() && <p class="hint">{words.unsupported}</p>}
      {supportsPasskeys() &&
        (passkeys.length < MAX_PASSKEYS ? (
          <div class="buttons">
            <button type="button" class="button" aria-disabled={busy !== ""} onClick={add}>
              <Icon name="plus" />
              <span aria-live="polite">{busy === NEW ? words.adding : words.add}</span>
            </button>
          </div>
        ) : (
          <p class="hint">{words.most(MAX_PASSKEYS)}</p>
        ))}
    </AccountPart>
  );
}

function PasskeyRow(props: { readonly passkey: Passkey; readonly isBusy: boolean; readonly onRemove: () => void }) {
  const { passkey, isBusy, onRemove } = props;
  const { id, created_at: added, last_used_at: used } = passkey;
  const name = nameBrowser(passkey);
  const label = isBusy ? words.removing : words.remove;
  return (
    <li>
      <Drawing shape={PASSKEY} />
      <div>
        <b>
          <bdi>{name}</bdi>
        </b>
        <small id={`of-${id}`}>{words.added(formatTime(added))}</small>
        <small>{used === null ? words.unused : words.used(formatTime(used))}</small>
      </div>
      <div class="things-end">
        <button
          type="button"
          class="button text"
          aria-disabled={isBusy}
          aria-label={account.actionOn(label, name)}
          aria-describedby={`of-${id}`}
          onClick={onRemove}
        >
          {label}
        </button>
      </div>
    </li>
  );
}

/** What to say about the attempt to add a passkey. Nothing when the person canceled it. */
export function describeAdding(result: AddedPasskey): { readonly said: string } | { readonly complaint: string } {
  switch (result) {
    case "added":
      return { said: words.isAdded };
    case "canceled":
      return { said: "" };
    case "known":
    case "refused":
    case "unusable":
      return { complaint: words[result] };
  }
}
