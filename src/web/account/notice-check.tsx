import { useEffect, useState } from "preact/hooks";
import type { Notices } from "../../contract/persons.ts";
import { Complaint } from "../parts/complaint.tsx";
import { describeSessionFailure } from "../parts/failures.ts";
import { useTask } from "../parts/tasks.ts";
import type { Person } from "../service/clients.ts";
import { onAccountOf, setNotices } from "../service/own-account.ts";
import { ACCOUNT } from "../texts/account.ts";

const { notices: words } = ACCOUNT.account;

const LABELS = { opened: words.whereSent, asked: words.whereAsked } as const;

/** The switch for one kind of mails, where a person sends something. Nothing where the server sends no mails. */
export function NoticeCheck({ person, kind }: { readonly person: Person; readonly kind: keyof typeof LABELS }) {
  const [wanted, setWanted] = useState<Notices | null>(null);
  const [said, setSaid] = useState("");
  const task = useTask((error) => describeSessionFailure(error).text);
  const isBusy = task.progress !== "";
  useEffect(() => {
    // Without an answer there is no switch: it is on the account's page too.
    onAccountOf(person, (account) => account.findNotices()).then(setWanted, () => undefined);
  }, []);
  if (!wanted) return null;
  const set = (isWanted: boolean) =>
    void task.run(async (say) => {
      say(LABELS[kind]);
      setSaid("");
      setWanted({ ...wanted, [kind]: isWanted });
      try {
        setWanted(await setNotices(person, { [kind]: isWanted }));
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
          checked={wanted[kind]}
          disabled={isBusy}
          onChange={(event) => set(event.currentTarget.checked)}
        />
        <span>{LABELS[kind]}</span>
      </label>
      <p role="status" class="hint said">
        {said}
      </p>
      <Complaint text={task.complaint} />
    </>
  );
}
