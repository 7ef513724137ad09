import type { Notices } from "../../contract/persons.ts";
import type { Person } from "../service/clients.ts";
import { setNotices } from "../service/own-account.ts";
import { ACCOUNT } from "../texts/account.ts";
import { AccountPart, useChanges } from "./account-part.tsx";

const { notices: words } = ACCOUNT.account;

/** The mails that a person wants, a switch for each kind. */
export function NoticePart(props: {
  readonly person: Person;
  readonly notices: Notices;
  readonly onSet: (notices: Notices) => void;
}) {
  const { person, notices, onSet } = props;
  const changes = useChanges();
  const set = (kind: keyof Notices, isWanted: boolean) =>
    changes.run(kind, async () => {
      // Shown at once, and taken back if the server doesn't take it.
      onSet({ ...notices, [kind]: isWanted });
      try {
        onSet(await setNotices(person, { [kind]: isWanted }));
        return { said: words.isSaved };
      } catch (error) {
        onSet(notices);
        throw error;
      }
    });
  const switches = [
    ["opened", words.opened],
    ["ending", words.ending],
    ["handed_in", words.handedIn],
    ["asked", words.asked],
  ] as const;
  return (
    <AccountPart id="mails" title={words.title} changes={changes}>
      <p class="quiet">{words.what(person.credential.person?.address ?? "")}</p>
      {switches.map(([kind, label]) => (
        <label class="check" key={kind}>
          <input
            type="checkbox"
            checked={notices[kind]}
            disabled={changes.busy !== ""}
            onChange={(event) => set(kind, event.currentTarget.checked)}
          />
          <span>{label}</span>
        </label>
      ))}
    </AccountPart>
  );
}
