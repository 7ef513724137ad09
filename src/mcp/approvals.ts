import { Type } from "@sinclair/typebox";
import { InputError } from "./tools.ts";
import type { ToolCall } from "./tools.ts";
import type { FoundSecret } from "./workspace.ts";

/** Less than the minute that hosts wait for a tool by default. */
const DEFAULT_WAIT_SECONDS = 45;
/** As long as an ask lasts. */
const MAX_WAIT_SECONDS = 3600;

/** What the description of a tool that opens says about approvals. */
export const APPROVAL_TEXT =
  "If its sender wants that, a person has to approve it first: then this asks, waits, and fails with three words while " +
  "nobody has decided. Tell them to the person you work for, and call it again to go on waiting. Only a person decides.";

/** The schema of the longest time to wait for an approval. */
export const ApprovalSeconds = Type.Optional(
  Type.Integer({
    minimum: 0,
    maximum: MAX_WAIT_SECONDS,
    description: `How long to wait if a person has to approve it; ${DEFAULT_WAIT_SECONDS} by default.`,
  }),
);

/**
 * Asks for every approval that these secrets need, and waits for all of them. Throws InputError with the words while
 * somebody has not decided, and the failure when one is refused.
 */
export async function awaitApprovals(
  secrets: readonly FoundSecret[],
  { report }: Pick<ToolCall, "report">,
  seconds: number = DEFAULT_WAIT_SECONDS,
): Promise<void> {
  const all = [];
  for (const secret of secrets) all.push(await secret.askApproval());
  const asked = all.filter((each) => each !== undefined);
  if (asked.length === 0) return;
  const words = `The words: ${asked.map((each) => each.words.join(", ")).join("; ")}.`;
  const start = performance.now();
  const passed = () => Math.floor((performance.now() - start) / 1000);
  let reported = -1;
  const onStep = async () => {
    // Progress must increase with every report.
    if (passed() > reported) await report((reported = passed()), seconds, `A person has to approve it. ${words}`);
  };
  await onStep();
  for (const each of asked) if (!(await each.wait(Math.max(0, seconds - passed()), onStep))) throw undecided(words);
}

function undecided(words: string): InputError {
  return new InputError(
    `A person has to approve it, and nobody has decided yet. It wasn't opened. ${words} Tell them to the person you work for: who decides sees the same, and may ask for them. Then call this tool again, which goes on waiting.`,
  );
}
