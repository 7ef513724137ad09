import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openAsText, openToFile } from "../../src/mcp/receive-tools.ts";
import { runWithSecret } from "../../src/mcp/run-tools.ts";
import type { AskedApproval, FoundSecret } from "../../src/mcp/workspace.ts";
import { errorOf } from "../support/clients.ts";
import { createTestWorkspace, runTool } from "../support/workspaces.ts";

const LINK = "https://handoff.example/s/sec_1#1.key";
const OTHER = `${LINK}2`;
const WORDS = ["maple", "river", "nine"];
const secrets = { [LINK]: "one", [OTHER]: "other" };

/** An ask that is decided so, and the seconds for which it was waited for. */
function askedWith(decide: () => Promise<boolean>) {
  const waits: number[] = [];
  const asked: AskedApproval = {
    words: WORDS,
    async wait(seconds, onStep) {
      waits.push(seconds);
      await onStep();
      return decide();
    },
  };
  return { waits, found: { askApproval: async () => asked } satisfies Partial<FoundSecret> };
}

test.each([
  ["open_to_file", openToFile, { url: LINK, path: "new" }, "timeout_seconds"],
  ["open_as_text", openAsText, { url: LINK }, "timeout_seconds"],
  ["run_with_secret", runWithSecret, { env: { ONE: LINK, TWO: OTHER }, command: ["true"] }, "approval_timeout_seconds"],
] as const)("%s opens nothing until a person has decided, and says the words", async (_, tool, input, seconds) => {
  const { waits, found } = askedWith(async () => false);
  const workspace = createTestWorkspace({ secrets, found });
  const reports: string[] = [];
  const report = async (_progress: number, _total: number, message: string) => void reports.push(message);
  const error = await errorOf(runTool(tool, { ...input, [seconds]: 7 }, workspace, { report }));
  const times = tool === runWithSecret ? 2 : 1;
  const words = Array.from({ length: times }, () => "maple, river, nine").join("; ");
  expect(error).toMatchObject({
    message: expect.stringContaining(`nobody has decided yet. It wasn't opened. The words: ${words}. Tell them to`),
  });
  expect(reports).toEqual([`A person has to approve it. The words: ${words}.`]);
  expect(waits).toEqual([7]);
  expect(workspace.steps.filter((step) => step.startsWith("open"))).toEqual([]);
  expect(await errorOf(runTool(tool, input, workspace))).toBeInstanceOf(Error);
  expect(waits).toEqual([7, 45]);
  const approved = createTestWorkspace({ secrets, found: askedWith(async () => true).found });
  await runTool(tool, input, approved);
  expect(approved.steps.filter((step) => step.startsWith("open"))).toHaveLength(times);
  const refusing = askedWith(async () => Promise.reject(new Error("refused")));
  const refused = createTestWorkspace({ secrets, found: refusing.found });
  expect(await errorOf(runTool(tool, input, refused))).toMatchObject({ message: "refused" });
  expect(refused.steps.filter((step) => step.startsWith("open"))).toEqual([]);
});

test("nothing that an agent may call can approve or refuse, or list who asks", () => {
  const root = join(import.meta.dir, "../../src");
  const filesOf = (folder: string) => [...new Bun.Glob(`${folder}/*.ts`).scanSync(root)];
  const files = [...filesOf("mcp"), ...filesOf("cli/agents"), "cli/commands/mcp.ts"];
  const sources = files.map((path) => readFileSync(join(root, path), "utf8"));
  // Each call of the server has its name.
  expect(sources.join("\n")).toContain("askToOpen");
  expect(sources.filter((text) => /decideAsk|listAsks|waitForAsks|commands\/approve/.test(text))).toEqual([]);
});
