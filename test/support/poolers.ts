import { chownSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ConnectionOptions } from "../../src/store/postgres/engine/database.ts";
import { freePort } from "./ports.ts";
import { temporaryFolder } from "./temporary.ts";

/** A PgBouncer before a PostgreSQL. */
export interface Pooler extends AsyncDisposable {
  /** The same database, by way of this. */
  readonly connection: ConnectionOptions;
}

/** Starts one on loopback in this mode, with more lines for its settings. */
export async function startPooler(
  { path, ...rest }: ConnectionOptions,
  mode: "session" | "transaction",
  more: readonly string[] = [],
): Promise<Pooler> {
  const folder = temporaryFolder();
  const port = freePort();
  const file = join(folder.path, "pgbouncer.ini");
  const lines = [
    "[databases]",
    `* = host=${dirname(String(path))} user=handoff`,
    "[pgbouncer]",
    "listen_addr = 127.0.0.1",
    `listen_port = ${port}`,
    "unix_socket_dir =",
    "auth_type = any",
    `pool_mode = ${mode}`,
    ...more,
  ];
  writeFileSync(file, `${lines.join("\n")}\n`);
  const words = ["/usr/sbin/pgbouncer", file];
  // It refuses to run as root.
  if (process.getuid?.() === 0) {
    const uid = Number(Bun.spawnSync(["id", "-u", "postgres"]).stdout.toString());
    for (const each of [folder.path, file]) chownSync(each, uid, uid);
    words.unshift("setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", "--pdeathsig=KILL", "--");
  }
  const pooler = Bun.spawn(words, { stdout: "ignore", stderr: "pipe" });
  let said = "";
  for await (const chunk of pooler.stderr) {
    said += Buffer.from(chunk).toString();
    if (said.includes("process up")) break;
  }
  if (!said.includes("process up")) throw new Error(said);
  return {
    connection: { ...rest, hostname: "127.0.0.1", port },
    async [Symbol.asyncDispose]() {
      pooler.kill("SIGKILL");
      await pooler.exited;
      folder[Symbol.dispose]();
    },
  };
}
