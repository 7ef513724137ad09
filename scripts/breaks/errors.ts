import type { Break } from "./break.ts";

/** Breaks of errors: what people, scripts and logs get from them. */
export const ERROR_BREAKS: readonly Break[] = [
  {
    what: "a trace has no line of the message, though it looks like a place in the program",
    file: "src/contract/error-traces.ts",
    find: 'const behind = end < 0 ? "" : stack.slice(end + message.length);',
    replace: "const behind = stack;",
    tests: ["test/contract/error-traces.test.ts"],
  },
  {
    what: "the code of an error of ours is not taken for one of the system",
    file: "src/contract/error-traces.ts",
    find: " || error instanceof UserError",
    replace: "",
    tests: ["test/contract/error-traces.test.ts"],
  },
  {
    what: "a request that has nothing to collect yet ends with 7",
    file: "src/contract/user-errors.ts",
    find: "exitCode: 7,",
    replace: "exitCode: 1,",
    tests: ["test/cli/terminal/failures.test.ts"],
  },
  {
    what: "without HANDOFF_DEBUG=1 nothing is said of the place",
    file: "src/cli/terminal/failures.ts",
    find: 'trace === undefined || env["HANDOFF_DEBUG"] !== "1"',
    replace: "trace === undefined",
    tests: ["test/cli/terminal/failures.test.ts"],
  },
  {
    what: "an error that nobody waits for is said without its message",
    file: "src/main.ts",
    find: '["uncaughtException", "unhandledRejection"]',
    replace: '["uncaughtException"]',
    tests: ["test/cli/terminal/failures.test.ts"],
  },
  {
    what: "work of the storage that failed is told",
    file: "src/store/administration/uses.ts",
    find: "report(work, error);",
    replace: "void error;",
    tests: ["test/store/sqlite/engine/background-failures.test.ts"],
  },
  {
    what: "a folder of keys that can't be read is not taken for an empty one",
    file: "src/cli/state/kept-requests.ts",
    find: 'if (["ENOENT", "ENOTDIR"].includes(codeOf(error) ?? "")) return [];',
    replace: "if (codeOf(error) !== undefined) return [];",
    tests: ["test/cli/state/kept-requests.test.ts"],
  },
  {
    what: "the worker of the page says on the console what nobody foresaw",
    file: "src/web/browser/worker-jobs.ts",
    find: "reportUnforeseen(`the job '${kind}'`, error);",
    replace: "void [reportUnforeseen, kind];",
    tests: ["test/web/browser/worker.test.ts"],
  },
  {
    what: "logging out does not forget a login whose key stays in the keychain",
    file: "src/cli/state/logins.ts",
    find: "    throw new CommandError(\n      `Can't remove the API key",
    replace: "    void new CommandError(\n      `Can't remove the API key",
    tests: ["test/cli/state/logins.test.ts"],
  },
];
