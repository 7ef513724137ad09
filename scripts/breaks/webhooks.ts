import type { Break } from "./break.ts";

/** Breaks of what webhooks are told, how often, and where their calls may go. */
export const WEBHOOK_BREAKS: readonly Break[] = [
  {
    what: "an event is told as delivered, whatever the answer",
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
    what: "that the event about a failure failed is an event too, without end",
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
    what: "a call goes to another address than the one that was looked at",
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
    what: "the former secret signs for ever",
    file: "src/webhooks/formats.ts",
    find: "formerSecretUntil !== null && now < formerSecretUntil",
    replace: "formerSecretUntil !== null",
    tests: ["test/webhooks/formats.test.ts"],
  },
  {
    what: "what a process wrote late has an id from before what another wrote",
    file: "src/store/sqlite/engine/time.ts",
    find: "if (at !== savedHere && at >= clock.now()) clock.raise(at + 1);",
    replace: "clock.raise(Math.min(at, savedHere));",
    tests: ["test/store/sqlite/assembly/store.test.ts"],
  },
];
