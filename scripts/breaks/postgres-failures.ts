import type { Break } from "./break.ts";

/**
 * Breaks of promises about a failing PostgreSQL: no call waits forever, and nothing is acknowledged that may be lost.
 */
export const POSTGRES_FAILURE_BREAKS: readonly Break[] = [
  {
    what: "a silent PostgreSQL is waited for forever",
    file: "src/store/postgres/engine/database.ts",
    find: "timer = setTimeout(giveUp, ms);",
    replace: "timer = setTimeout(giveUp, 3_600_000);",
    tests: ["test/store/postgres/silence.test.ts"],
  },
  {
    what: "a commit that waits for a replica of PostgreSQL is cancelled, and counts without it",
    file: "src/store/postgres/engine/database.ts",
    find: "reserved.close({ timeout: FOREVER_SECONDS })",
    replace: "reserved.close({ timeout: 0 })",
    tests: ["test/store/postgres/failover.test.ts"],
  },
  {
    what: "a server stays with a PostgreSQL that was lost, although a replica was promoted",
    file: "src/store/postgres/engine/clients.ts",
    find: "if (!isReadOnly(error)) return hosts !== undefined && isConnectionLost(error);",
    replace: "if (!isReadOnly(error)) return false;",
    tests: ["test/store/postgres/failover.test.ts"],
  },
  {
    what: "events are not announced on a promoted replica of PostgreSQL that lacked the latest ones",
    file: "src/store/postgres/events.ts",
    find: "    if (lastPlace < before) [delivered, announced] = [lastPlace, lastPlace];\n",
    replace: "",
    tests: ["test/store/postgres/failover.test.ts"],
  },
  {
    what: "claims are refused on a full disk of PostgreSQL when creations come with them",
    file: "src/store/postgres/engine/writer.ts",
    find: "  if (isDiskFull(error)) return true;\n",
    replace: "",
    tests: ["test/store/postgres/full-disk.test.ts"],
  },
  {
    what: "a deadlock in PostgreSQL is the caller's",
    file: "src/store/postgres/engine/errors.ts",
    find: '["40001", "40P01", "23505", "23503"]',
    replace: '["40001", "23505", "23503"]',
    tests: ["test/store/postgres/contention.test.ts"],
  },
  {
    what: "a user whom PostgreSQL no longer lets in counts as a bug of the server",
    file: "src/store/postgres/engine/errors.ts",
    find: "25006|28|3D|40",
    replace: "25006|40",
    tests: ["test/store/postgres/changes.test.ts"],
  },
  {
    what: "calls go to a database that has replaced the opened one",
    file: "src/store/postgres/store.ts",
    find: "isOpen() && !health.isReplaced()",
    replace: "isOpen()",
    tests: ["test/store/postgres/changes.test.ts"],
  },
];
