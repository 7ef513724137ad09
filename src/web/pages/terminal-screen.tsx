import { ClientError } from "../../client/errors.ts";
import type { PendingLogin } from "../../contract/persons.ts";
import type { Notice } from "../frame/notices.ts";
import { Screen } from "../frame/screens.tsx";
import { Complaint } from "../parts/complaint.tsx";
import { describeSessionFailure } from "../parts/failures.ts";
import { capitalize, formatPast } from "../parts/formats.ts";
import { AccountCard } from "../parts/person-card.tsx";
import { printable } from "../parts/printable.ts";
import { useTask } from "../parts/tasks.ts";
import { Warning } from "../parts/warning.tsx";
import { requirePerson } from "../service/clients.ts";
import type { Person } from "../service/clients.ts";
import { LOGIN } from "../texts/login.ts";

const { terminal: words } = LOGIN.login;

/** What a person decides about a terminal. */
export type Decision = "allow" | "refuse";

const PROGRESS: Readonly<Record<Decision, string>> = { allow: words.allowing, refuse: words.refusing };

/** The terminal that waits, and as whom it would act. Nothing but a click lets it in. */
export function TerminalScreen<Next>(props: {
  readonly person: Person;
  readonly terminal: PendingLogin;
  readonly decide: (decision: Decision) => Promise<Next>;
  /** Called with the next state of the page. */
  readonly onDecided: (next: Next | Notice) => void;
}) {
  const { person, terminal, decide, onDecided } = props;
  const { machine, address, created_at: since } = terminal;
  const task = useTask((error) => describeSessionFailure(error).text);
  const choose = (decision: Decision) => {
    void task.run(async (say) => {
      say(PROGRESS[decision]);
      try {
        // What the person approves is what they see.
        await requirePerson(person);
        onDecided(await decide(decision));
      } catch (error) {
        if (!(error instanceof ClientError && error.kind === "credential")) throw error;
        onDecided(describeSessionFailure(error));
      }
      return undefined;
    });
  };
  const isBusy = task.progress !== "";
  return (
    <Screen title={words.title}>
      <dl class="data">
        <div>
          <dt>{words.machine}</dt>
          <dd>
            <bdi translate={false}>{printable(machine)}</bdi>
            <p class="hint">{words.ownWord}</p>
          </dd>
        </div>
        <div>
          <dt>{words.address}</dt>
          <dd>{address === null ? words.unknown : <bdi dir="ltr">{address}</bdi>}</dd>
        </div>
        <div>
          <dt>{words.since}</dt>
          <dd>{capitalize(formatPast(since))}</dd>
        </div>
      </dl>
      <div class="field">
        <p class="label">{words.actsAs}</p>
        <AccountCard person={person} />
      </div>
      <Warning>{words.caution}</Warning>
      <div class="buttons">
        <button type="button" class="button primary" aria-disabled={isBusy} onClick={() => choose("allow")}>
          {task.progress || words.allow}
        </button>
        <button type="button" class="button" aria-disabled={isBusy} onClick={() => choose("refuse")}>
          {words.refuse}
        </button>
      </div>
      <Complaint text={task.complaint} />
    </Screen>
  );
}
