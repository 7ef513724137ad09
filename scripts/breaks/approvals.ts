import type { Break } from "./break.ts";

const APPROVALS = ["test/http/resources/approvals.test.ts"];
const RULES = "src/domain/values/approvals.ts";
const TRANSACTIONS = "src/domain/transactions/secrets.ts";

/** Breaks of the approval of claims. */
export const APPROVAL_BREAKS: readonly Break[] = [
  {
    what: "a secret is handed out without its approval",
    file: TRANSACTIONS,
    find: "if (!known && row.approval !== null && approved?.state",
    replace: "if (!known && row.approval === undefined && approved?.state",
    tests: APPROVALS,
  },
  {
    what: "an ask that waits, or was refused, is an approval",
    file: TRANSACTIONS,
    find: 'row.approval !== null && approved?.state !== "approved") return',
    replace: "row.approval !== null && !approved) return",
    tests: APPROVALS,
  },
  {
    what: "an approval allows more than one claim",
    file: TRANSACTIONS,
    find: "changeSecret(tx, row, withoutAsks(next, approved), actor)",
    replace: "changeSecret(tx, row, next, actor)",
    tests: APPROVALS,
  },
  {
    what: "an approval is for every asker",
    file: RULES,
    find: ".find((each) => each.tokenHash === tokenHash)",
    replace: '.find((each) => each.tokenHash === tokenHash || each.state === "approved")',
    tests: APPROVALS,
  },
  {
    what: "an approval lasts longer than its time",
    file: RULES,
    find: ".filter(({ until }) => until > now)",
    replace: ".filter(({ until }) => until > 0)",
    tests: APPROVALS,
  },
  {
    what: "somebody approves what their identity asked for",
    file: RULES,
    find: "if (id === null || id === ask.askerId) return false;",
    replace: "if (id === null) return false;",
    tests: APPROVALS,
  },
  {
    what: "somebody approves what they asked for with their address",
    file: RULES,
    find: "return address === undefined || ask.address === null || mailboxOf(address) !== mailboxOf(ask.address);",
    replace: "return true || mailboxOf(address ?? '') !== '';",
    tests: APPROVALS,
  },
  {
    what: "somebody approves what they asked for with another address of their mailbox",
    file: RULES,
    find: 'return address.toLowerCase().replace(/\\+.*(?=@)/, "");',
    replace: "return address.toLowerCase();",
    tests: APPROVALS,
  },
  {
    what: "a key that asks with another address goes on with the former ask",
    file: RULES,
    find: "&& one.address?.toLowerCase() === other.address?.toLowerCase();",
    replace: "&& (one.askerId !== null || one.address?.toLowerCase() === other.address?.toLowerCase());",
    tests: APPROVALS,
  },
  {
    what: "anybody decides in the sender's place, and the sender in the team's",
    file: RULES,
    find: '  if ((approverOf(secret) === "sender") !== isSender) return false;\n',
    replace: "",
    tests: APPROVALS,
  },
  {
    what: "strangers whose asks were refused keep others out",
    file: RULES,
    find: 'state === "refused" ? askedAt :',
    replace: 'state === "refused" ? until :',
    tests: APPROVALS,
  },
  {
    what: "the holder of a link learns who asked",
    file: "src/domain/events.ts",
    find: "events.filter(({ type }) => !OF_TEAM.includes(type)).map",
    replace: "events.map",
    tests: APPROVALS,
  },
  {
    what: "one network takes all places of a secret that has to be approved",
    file: "src/http/resources/approvals.ts",
    find: 'if (caller.kind === "claim" && caller.secret.addressees === null) options',
    replace: 'if (caller.kind !== "claim") options',
    tests: APPROVALS,
  },
  {
    what: "the log doesn't say which ask let somebody in",
    file: "src/domain/transactions/secrets.ts",
    find: "const ask = approved ? textOfAsk(approved) : null;",
    replace: "const ask = null;",
    tests: APPROVALS,
  },
  {
    what: "a line that was put in with an earlier time passes until it is sealed",
    file: "src/domain/values/log-checks.ts",
    find: "createdAt < last.endsAt);",
    replace: "createdAt < 0 * last.endsAt);",
    tests: ["test/cli/admin-audit.test.ts"],
  },
  {
    what: "a hash counts whose lines are all gone",
    file: "src/domain/values/log-checks.ts",
    find: "isKnown = false;",
    replace: "isKnown = first?.hash.toHex() === hash;",
    tests: ["test/cli/admin-audit.test.ts"],
  },
];
