import type { Break } from "./break.ts";

/** Breaks of webhooks: which events they get, how often, and where their calls may go. */
export const WEBHOOK_BREAKS: readonly Break[] = [
  {
    what: "an event counts as delivered, whatever the answer",
    file: "src/domain/webhooks/attempts.ts",
    find: "if (status !== undefined && status >= 200 && status < 300)",
    replace: "if (status !== undefined)",
    tests: ["test/domain/webhooks/attempts.test.ts"],
  },
  {
    what: "a webhook whose receiver is gone is called on",
    file: "src/domain/webhooks/lanes.ts",
    find: '    if (outcome === "paused") {',
    replace: '    if (outcome === "paused" && told.id === "") {',
    tests: ["test/domain/webhooks/sender.test.ts"],
  },
  {
    what: "a failed event about a failure makes another event, without end",
    file: "src/domain/webhooks/lanes.ts",
    find: ' && event.type !== "webhook.failed"',
    replace: "",
    tests: ["test/domain/webhooks/sender.test.ts"],
  },
  {
    what: "a name may lead to link-local addresses",
    file: "src/domain/webhooks/addresses.ts",
    find: '  if (kind === "forbidden") return false;\n',
    replace: "",
    tests: ["test/domain/webhooks/addresses.test.ts"],
  },
  {
    what: "a call goes to another address than the checked one",
    file: "src/webhooks/calls.ts",
    find: "    lookup: lookupIn(addresses),\n",
    replace: "",
    tests: ["test/webhooks/calls.test.ts"],
  },
  {
    what: "an answer is read to its end, however long",
    file: "src/webhooks/calls.ts",
    find: "      if (length >= MAX_ANSWER_BYTES) leave();\n",
    replace: "",
    tests: ["test/webhooks/calls.test.ts"],
  },
  {
    what: "the former secret signs forever",
    file: "src/webhooks/formats.ts",
    find: "formerSecretUntil !== null && now < formerSecretUntil",
    replace: "formerSecretUntil !== null",
    tests: ["test/webhooks/formats.test.ts"],
  },
  {
    what: "an event that a process wrote late has an earlier id than another's",
    file: "src/store/sqlite/engine/time.ts",
    find: "if (at !== savedHere && at >= clock.now()) clock.raise(at + 1);",
    replace: "clock.raise(Math.min(at, savedHere));",
    tests: ["test/store/sqlite/assembly/store.test.ts"],
  },
];
