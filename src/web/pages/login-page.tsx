import { useEffect, useId, useRef, useState } from "preact/hooks";
import { ClientError } from "../../client/errors.ts";
import { approveLogin, getPendingLogin, refuseLogin } from "../../client/page/pending-logins.ts";
import type { PendingLogin } from "../../contract/persons.ts";
import { topUrl } from "../browser/places.ts";
import { onSignIn } from "../browser/session-news.ts";
import { NOTHING_WAITS } from "../frame/account.ts";
import { useLoading } from "../frame/loading.tsx";
import type { Notice } from "../frame/notices.ts";
import { NoticeScreen, Screen } from "../frame/screens.tsx";
import { Complaint } from "../parts/complaint.tsx";
import { describeSessionFailure } from "../parts/failures.ts";
import { Form } from "../parts/form.tsx";
import { useTask } from "../parts/tasks.ts";
import { findPerson } from "../service/clients.ts";
import type { Person } from "../service/clients.ts";
import { orSignInAgain } from "../service/fresh-sign-ins.ts";
import { LOGIN } from "../texts/login.ts";
import { PAGE } from "../texts/page.ts";
import { usePersonAccount } from "./accounts.tsx";
import { dropCode, findKeptCode, keepCode, takeCode } from "./login-codes.ts";
import { TerminalScreen } from "./terminal-screen.tsx";
import type { Decision } from "./terminal-screen.tsx";
import { formatCode, parseCode } from "./typed-codes.ts";

const { login: words } = LOGIN;
/** Longer than any code, so that a long input gets a complaint and is not cut. */
const MAX_LENGTH = 40;

type State =
  | { readonly kind: "stranger" }
  | { readonly kind: "code"; readonly person: Person }
  | { readonly kind: "terminal"; readonly person: Person; readonly code: string; readonly terminal: PendingLogin }
  | { readonly kind: "gone"; readonly person: Person }
  | { readonly kind: "decided"; readonly person: Person; readonly decision: Decision };

/** `/login`: a person lets a terminal in that shows a code (RFC 8628). */
export function LoginPage() {
  useState(takeCode);
  const { state, screen, setState, reload } = useLoading<State>("login", begin, describeSessionFailure);
  const person = state && "person" in state ? state.person : undefined;
  usePersonAccount(person, { tab: undefined, waiting: NOTHING_WAITS }, setState);
  const isDecided = state?.kind === "decided";
  // Another person may have signed in, as whom the terminal would act.
  useEffect(() => (isDecided ? undefined : onSignIn(reload)), [isDecided]);
  if (!state) return screen;
  switch (state.kind) {
    case "stranger":
      return <SignInFirst onRetry={reload} />;
    case "code":
      return (
        <CodeScreen
          onFound={(code, terminal) => setState({ kind: "terminal", person: state.person, code, terminal })}
          onFailed={setState}
        />
      );
    case "terminal":
      return (
        <TerminalScreen
          person={state.person}
          terminal={state.terminal}
          decide={(decision) => decide(state, decision)}
          onDecided={setState}
        />
      );
    case "gone":
      return (
        <NoticeScreen notice={{ ...words.gone, icon: "expired" }}>
          <div class="buttons">
            <button type="button" class="button" onClick={reload}>
              {words.another}
            </button>
          </div>
        </NoticeScreen>
      );
    case "decided":
      return <NoticeScreen notice={DONE[state.decision]} />;
  }
}

const DONE: Readonly<Record<Decision, Notice>> = {
  allow: { ...words.allowed, icon: "success", tone: "good" },
  refuse: { ...words.refused, icon: "revoked" },
};

async function begin(): Promise<State> {
  const person = await findPerson();
  return person ? { kind: "code", person } : { kind: "stranger" };
}

/** Lets the terminal in or refuses it, and returns the next state of the page. Throws ClientError. */
async function decide(
  { person, code }: Extract<State, { readonly kind: "terminal" }>,
  decision: Decision,
): Promise<State> {
  try {
    if (decision === "allow") await orSignInAgain("terminal", approveLogin(topUrl(), code));
    else await refuseLogin(topUrl(), code);
    dropCode();
    return { kind: "decided", person, decision };
  } catch (error) {
    if (!(error instanceof ClientError && error.code === "not_found")) throw error;
    dropCode();
    return { kind: "gone", person };
  }
}

/** The screen of a stranger. The code stays in the tab until they have signed in. */
function SignInFirst({ onRetry }: { readonly onRetry: () => void }) {
  const code = findKeptCode();
  return (
    <Screen title={words.signIn.title} lede={words.signIn.text} icon="lock" tone="warn">
      {code !== undefined && <p>{words.signIn.kept(formatCode(code))}</p>}
      <div class="buttons">
        <a class="button primary" href={`${topUrl()}/`} target="_blank">
          {words.signIn.button}
        </a>
        <button type="button" class="button" onClick={onRetry}>
          {PAGE.failed.again}
        </button>
      </div>
    </Screen>
  );
}

/** The field for the code that the terminal shows. */
function CodeScreen(props: {
  readonly onFound: (code: string, terminal: PendingLogin) => void;
  /** Called when the session is over. */
  readonly onFailed: (notice: Notice) => void;
}) {
  const { onFound, onFailed } = props;
  const [text, setText] = useState(() => formatKept());
  const task = useTask((error) => describeSessionFailure(error).text);
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  const find = async (): Promise<string | undefined> => {
    const code = parseCode(text);
    if (code === undefined) return text.trim() === "" ? words.empty : words.malformed;
    try {
      const terminal = await getPendingLogin(topUrl(), code);
      keepCode(code);
      onFound(code, terminal);
      return undefined;
    } catch (error) {
      if (error instanceof ClientError && error.kind === "credential") {
        keepCode(code);
        onFailed(describeSessionFailure(error));
        return undefined;
      }
      if (!(error instanceof ClientError && error.code === "not_found")) throw error;
      dropCode();
      return words.wrong;
    }
  };
  const submit = async () => {
    await task.run(async (say) => {
      say(words.checking);
      return find();
    });
    field.current?.focus();
  };
  return (
    <Screen title={words.title} lede={words.lede} width="narrow">
      <Form onSubmit={() => void submit()}>
        <div class="field">
          <label class="label" for={id}>
            {words.code}
          </label>
          <input
            ref={field}
            id={id}
            class="input mono"
            dir="ltr"
            type="text"
            inputMode="text"
            autocomplete="off"
            autocapitalize="characters"
            // In this spelling it is set as an attribute. As a property, "off" would count as true.
            autoCorrect="off"
            spellcheck={false}
            translate={false}
            maxLength={MAX_LENGTH}
            value={text}
            aria-invalid={task.complaint !== ""}
            aria-describedby={`${id}-hint ${id}-wrong`}
            onInput={(event) => {
              setText(event.currentTarget.value);
              task.clear();
            }}
          />
          <p class="hint" id={`${id}-hint`}>
            {words.hint}
          </p>
          <Complaint id={`${id}-wrong`} text={task.complaint} />
        </div>
        <div class="buttons">
          <button type="submit" class="button primary" aria-disabled={task.progress !== ""}>
            {task.progress || words.goOn}
          </button>
        </div>
      </Form>
    </Screen>
  );
}

function formatKept(): string {
  const code = findKeptCode();
  return code === undefined ? "" : formatCode(code);
}
