import { chmodSync, chownSync, copyFileSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { SQL } from "bun";
import { makeVouchedCertificate } from "./certificates.ts";
import { freePort } from "./ports.ts";
import { startPostgres } from "./postgres.ts";
import type { PostgresCluster } from "./postgres.ts";
import { temporaryFolder } from "./temporary.ts";

/** A PostgreSQL on 127.0.0.1 with a certificate for localhost, and the files of who connects to it. */
export interface CertifiedPostgres extends AsyncDisposable {
  readonly cluster: PostgresCluster;
  readonly port: number;
  /** The CA of its certificate, and one that has nothing to do with it. */
  readonly ca: string;
  readonly otherCa: string;
  /** The certificate of the user `handoff`. */
  readonly cert: string;
  readonly key: string;
  /** Has `pg_hba.conf` say this, behind what lets the tests themselves in. */
  setRules(lines: readonly string[]): Promise<void>;
  /** Has it take connections with TLS, or without it alone. */
  setTls(isOn: boolean): Promise<void>;
}

export async function startCertifiedPostgres(): Promise<CertifiedPostgres> {
  const port = freePort();
  const cluster = await startPostgres({ listen_addresses: "127.0.0.1", port: String(port) });
  const folder = temporaryFolder();
  const make = (name: string, of: string) => {
    mkdirSync(join(folder.path, of));
    return makeVouchedCertificate(join(folder.path, of), name);
  };
  const [own, other, user] = [make("localhost", "own"), make("other.example", "other"), make("handoff", "user")];
  const data = dirname(cluster.socket);
  const { uid, gid } = statSync(data);
  const files = [
    [own.cert, "server.crt"],
    [own.key, "server.key"],
    [user.ca, "users.crt"],
  ] as const;
  for (const [from, name] of files) {
    const to = join(data, name);
    copyFileSync(from, to);
    chownSync(to, uid, gid);
    chmodSync(to, 0o600);
  }
  const ask = async (statement: string) => {
    const admin = new SQL({ adapter: "postgres", path: cluster.socket, username: "handoff", database: "postgres" });
    const rows: readonly Record<string, unknown>[] = await admin.unsafe(statement);
    await admin.close({ timeout: 0 });
    return rows[0] ?? {};
  };
  // A new connection uses what the server had read by then.
  const readAt = async () => Number((await ask("SELECT extract(epoch FROM pg_conf_load_time()) AS at"))["at"]);
  const reload = async () => {
    const before = await readAt();
    await ask("SELECT pg_reload_conf()");
    while ((await readAt()) === before);
  };
  await ask("ALTER SYSTEM SET ssl_ca_file = 'users.crt'");
  return {
    cluster,
    port,
    ca: own.ca,
    otherCa: other.ca,
    cert: user.cert,
    key: user.key,
    async setRules(lines) {
      writeFileSync(join(data, "pg_hba.conf"), ["local all all trust", ...lines, ""].join("\n"));
      await reload();
    },
    async setTls(isOn) {
      await ask(`ALTER SYSTEM SET ssl = ${isOn ? "on" : "off"}`);
      await reload();
    },
    async [Symbol.asyncDispose]() {
      await cluster[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}
