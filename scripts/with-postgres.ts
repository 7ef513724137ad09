// Runs the command that its arguments are beside a PostgreSQL, in which the tests that it runs keep everything:
// bun scripts/with-postgres.ts bun test test/http
// With TEST_ENGINE=sqlite, only the tests of PostgreSQL itself use it.
import { makePostgresFiles, startPostgres } from "../test/support/postgres.ts";

using files = await makePostgresFiles();
process.env["TEST_POSTGRES_FILES"] = files.path;
// No test that shares this server looks at what is left after a crash.
await using cluster = await startPostgres({ fsync: "off", max_connections: "200" });
const command = Bun.spawn(process.argv.slice(2), {
  env: { TEST_ENGINE: "postgres", ...process.env, TEST_POSTGRES: cluster.socket },
  stdio: ["inherit", "inherit", "inherit"],
});
process.exitCode = await command.exited;
