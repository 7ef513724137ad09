import { InputError } from "../../src/mcp/tools.ts";
import type { Tool, ToolCall } from "../../src/mcp/tools.ts";
import type { FoundSecret, SentContent, Workspace } from "../../src/mcp/workspace.ts";
import { createTestClient } from "./clients.ts";
import type { TestAnswers, TestClient } from "./clients.ts";

/** A workspace that an agent may touch in a test, and its steps, in order. */
export interface TestWorkspace extends Workspace {
  readonly client: TestClient;
  readonly steps: readonly string[];
}

interface TestWorkspaceOptions {
  readonly answers?: TestAnswers;
  /** The secrets that are to be had, by link or by the id of a request; undefined is content that is no text. */
  readonly secrets?: Readonly<Record<string, string | undefined>>;
  readonly files?: Readonly<Record<string, SentContent>>;
  readonly variables?: Readonly<Record<string, string>>;
  readonly hasKey?: boolean;
  readonly changes?: Partial<Workspace>;
  /** Changes every secret that is found. */
  readonly found?: Partial<FoundSecret>;
}

/** A workspace of nothing but what the options name. Whatever else is asked for is an InputError. */
export function createTestWorkspace(options: TestWorkspaceOptions = {}): TestWorkspace {
  const { secrets = {}, files = {}, variables = {}, hasKey = true } = options;
  const client = createTestClient(options.answers ?? {});
  const steps: string[] = [];
  const idOf = (name: string) => Object.keys(secrets).indexOf(name);
  return {
    client,
    steps,
    connect: async () => client,
    hasKey: async () => hasKey,
    async readFile(path) {
      const file = files[path];
      if (!file) throw new InputError("no such file");
      return file;
    },
    async readVariable(name) {
      const text = variables[name];
      if (text === undefined) throw new InputError("no such variable");
      return { kind: "text", text };
    },
    keepAgeIdentity({ note }) {
      steps.push(`keep ${note}`);
      return { assign: (id) => void steps.push(`assign ${id}`), drop: () => void steps.push("drop") };
    },
    connectByLink: async (url) => ({ client, id: `sec_of ${url}` }),
    idOfLink: (url) => `sec_of ${url}`,
    async find(source) {
      const name = source.kind === "link" ? source.url : source.id;
      if (!Object.hasOwn(secrets, name)) throw new InputError("no such secret");
      const step = (what: string) => void steps.push(`${what} ${idOf(name)}`);
      step("find");
      const text = secrets[name];
      return {
        id: `sec_${idOf(name)}`,
        isResumed: false,
        leastBytes: 0,
        askApproval: async () => undefined,
        async open() {
          step("open");
          const bytes = text === undefined ? new Uint8Array([0xff]) : new TextEncoder().encode(text);
          const finish = async () => {
            step("finish");
            return 2;
          };
          // The value of each field is the text and its name.
          const fieldOf = (field: string) =>
            text === undefined
              ? undefined
              : { bytes: Buffer.from(text + field), text: text + field, format: "file" as const, isBlank: false };
          return {
            bytes,
            text,
            differences: null,
            sender: null,
            format: "file",
            isBlank: text === "",
            fieldOf,
            finish,
          };
        },
        [Symbol.dispose]: () => step("let go of"),
        ...options.found,
      };
    },
    checkNewFile: (path) => void steps.push(`check ${path}`),
    async createFile(path, { id }, { bytes }) {
      steps.push(`create ${path} of ${id}`);
      return { path: `/allowed/${path}`, bytes: bytes.length, sha256: null };
    },
    checkCommand: (command) => void steps.push(`check ${command.join(" ")}`),
    riskOfVariable: (name) => (name === "PATH" ? "says where programs are" : undefined),
    async start(command, given) {
      steps.push(`start ${command.join(" ")} with ${JSON.stringify(given)}`);
      const result = { exit_code: 3, stdout: "out", stderr: "", truncated: false, timed_out: false };
      return { ended: Promise.resolve(result) };
    },
    rescueOf: (taken) => `[rescue of ${taken.length}]`,
    explain: (error) => (error instanceof InputError ? error.message : "it failed"),
    ...options.changes,
  };
}

/** Runs a tool as the adapter does once it has looked at the input. */
export function runTool(
  tool: Tool,
  input: object,
  workspace: Workspace,
  call: Partial<ToolCall> = {},
): Promise<Record<string, unknown>> {
  const { signal } = new AbortController();
  return tool.run(input, { workspace, signal, report: async () => undefined, ...call });
}
