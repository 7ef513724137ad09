import type { Break } from "./break.ts";

/** What the client, the command line and an agent do not take from a server, a link or an archive. */
export const CLIENT_BREAKS: readonly Break[] = [
  {
    what: "the client asks without a pause when a server answers waits at once",
    file: "src/client/requests.ts",
    find: "    if (early > 0) await clock.sleep(early, wait.signal);\n",
    replace: "",
    tests: ["test/client/requests.test.ts"],
  },
  {
    what: "a hostile server says what state a request has",
    file: "src/client/shapes.ts",
    find: '    state: parseOneOf(members["state"], REQUEST_STATES),\n',
    replace: '    state: members["state"] as RequestState,\n',
    tests: ["test/client/shapes.test.ts"],
  },
  {
    what: "a hostile server answers with another request than the one that was asked for",
    file: "src/client/shapes.ts",
    find: '    id: sameId(parseIdOf("request", members["id"]), id),\n',
    replace: '    id: parseIdOf("request", members["id"]),\n',
    tests: ["test/client/shapes.test.ts"],
  },
  {
    what: "a hostile server names a recipient that is none",
    file: "src/client/shapes.ts",
    find: 'if (typeof value !== "string" || !RECIPIENT.test(value)) throw unexpected();',
    replace: 'if (typeof value !== "string") throw unexpected();',
    tests: ["test/client/shapes.test.ts"],
  },
  {
    what: "a hostile server swaps the recipient, and nobody looks",
    file: "src/client/requests.ts",
    find: "if ((await pinOf(recipient)) !== pin) {",
    replace: "if ((await pinOf(recipient)) === undefined) {",
    tests: ["test/client/requests.test.ts"],
  },
  {
    what: "a hostile server names hostile names for who made something",
    file: "src/client/members.ts",
    find: " || /[\\p{C}\\p{Zl}\\p{Zp}]/u.test(value)) {",
    replace: ") {",
    tests: ["test/client/shapes.test.ts"],
  },
  {
    what: "a list of a hostile server goes on for ever",
    file: "src/client/pages.ts",
    find: "    if (found.length === 0) break;\n",
    replace: "",
    tests: ["test/client/requests.test.ts"],
  },
  {
    what: "names of files may lead out of their folder",
    file: "src/crypto/entry-names.ts",
    find: ' || plain.split("/").includes("..");',
    replace: ";",
    tests: ["test/crypto/contents.test.ts"],
  },
  {
    what: "names of files may deceive a reader",
    file: "src/crypto/entry-names.ts",
    find: "\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}",
    replace: "\\p{Cc}",
    tests: ["test/crypto/contents.test.ts"],
  },
  {
    what: "names of files may be ones that git and shells obey",
    file: "src/crypto/entry-names.ts",
    find: 'cleaned.startsWith(".") || RESERVED.test(cleaned)',
    replace: "RESERVED.test(cleaned)",
    tests: ["test/crypto/contents.test.ts"],
  },
  {
    what: "nothing handed in yet has another exit code than 7",
    file: "src/contract/user-errors.ts",
    find: "nothing_yet: { exitCode: 7,",
    replace: "nothing_yet: { exitCode: 1,",
    tests: ["test/cli/terminal/failures.test.ts"],
  },
  {
    what: "a gone secret has the exit code of a network that fails",
    file: "src/contract/user-errors.ts",
    find: "gone: { exitCode: 4,",
    replace: "gone: { exitCode: 6,",
    tests: ["test/cli/terminal/failures.test.ts"],
  },
];
