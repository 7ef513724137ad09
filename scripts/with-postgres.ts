// Runs the command that its arguments are while there is a PostgreSQL, in which the tests that it runs keep everything:
// bun scripts/with-postgres.ts bun test test/http
import { startPostgres } from "../test/support/postgres.ts";

// No test that is handed this one looks at what is left after a crash.
await using cluster = await startPostgres({ fsync: "off", max_connections: "200" });
const command = Bun.spawn(process.argv.slice(2), {
  env: { ...process.env, TEST_POSTGRES: cluster.socket },
  stdio: ["inherit", "inherit", "inherit"],
});
process.exitCode = await command.exited;
