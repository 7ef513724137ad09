import { useEffect, useState } from "preact/hooks";
import type { Notices } from "../../contract/persons.ts";
import { Complaint } from "../parts/complaint.tsx";
import { describeSessionFailure } from "../parts/failures.ts";
import { useTask } from "../parts/tasks.ts";
import type { Person } from "../service/clients.ts";
import { onAccountOf, setNotices } from "../service/own-account.ts";
import { ACCOUNT } from "../texts/account.ts";

const { notices: words } = ACCOUNT.account;

/** The switch for mails about what a person sends, where they send it. Nothing where the server sends no mails. */
export function NoticeCheck({ person }: { readonly person: Person }) {
  const [wanted, setWanted] = useState<Notices | null>(null);
  const [said, setSaid] = useState("");
  const task = useTask((error) => describeSessionFailure(error).text);
  const isBusy = task.progress !== "";
  useEffect(() => {
    // Without an answer there is no switch: it is on the account's page too.
    onAccountOf(person, (account) => account.findNotices()).then(setWanted, () => undefined);
  }, []);
  if (!wanted) return null;
  const set = (opened: boolean) =>
    void task.run(async (say) => {
      say(words.whereSent);
      setSaid("");
      setWanted({ ...wanted, opened });
      try {
        setWanted(await setNotices(person, { opened }));
        setSaid(words.isSaved);
      } catch (error) {
        setWanted(wanted);
        throw error;
      }
      return undefined;
    });
  return (
    <>
      <label class="check">
        <input
          type="checkbox"
          checked={wanted.opened}
          disabled={isBusy}
          onChange={(event) => set(event.currentTarget.checked)}
        />
        <span>{words.whereSent}</span>
      </label>
      <p role="status" class="hint said">
        {said}
      </p>
      <Complaint text={task.complaint} />
    </>
  );
}
