import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { mintKey } from "./executions.ts";
import { manualBlock } from "./manual.ts";
import { openPerson } from "./people.ts";
import type { Person } from "./people.ts";
import { startReverseProxy } from "./proxies.ts";
import type { Proxy, ProxyKind } from "./proxies.ts";
import { startProgram } from "./running.ts";
import type { RunningProgram } from "./running.ts";
import { temporaryFolder } from "./temporary.ts";

/** A server behind a proxy, both as the manual says. */
export interface ProxiedServer extends AsyncDisposable {
  readonly proxy: Proxy;
  readonly server: RunningProgram;
  readonly data: string;
  readonly settings: Readonly<Record<string, string>>;
  /** A key with every scope for secrets. */
  readonly token: string;
  /** Somebody with that key, who trusts the certificate of the proxy. */
  person(name: string): Person;
}

interface ProxiedOptions {
  readonly flags?: readonly string[];
  /** Changes the settings of the manual. */
  readonly env?: Readonly<Record<string, string>>;
  readonly change?: (block: string) => string;
}

/** Starts both; `change` changes the manual's block for the proxy. */
export async function startProxied(
  kind: ProxyKind,
  { flags = [], env = {}, change }: ProxiedOptions = {},
): Promise<ProxiedServer> {
  const temporary = temporaryFolder();
  const folder = temporary.path;
  const [data, socket] = [join(folder, "data"), join(folder, "socket")];
  const token = await mintKey(data);
  const proxy = await startReverseProxy(kind, {
    folder: join(folder, kind),
    upstream: socket,
    ...(change ? { change } : {}),
  });
  const settings = { ...(await settingsOfManual(folder, socket)), HANDOFF_BASE_URL: proxy.url, ...env };
  const server = await startProgram(["serve", "--data-dir", data, ...flags], settings);
  const ofPeople = { HANDOFF_URL: proxy.url, HANDOFF_API_KEY: token, NODE_EXTRA_CA_CERTS: proxy.ca };
  return {
    proxy,
    server,
    data,
    settings,
    token,
    person: (name) => openPerson(join(folder, name), ofPeople),
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
      temporary[Symbol.dispose]();
    },
  };
}

/**
 * Runs the manual's lines for a proxy in `folder`, where nothing of the machine is changed, and returns the settings
 * that they make, with another socket and a group that this user is in.
 */
export async function settingsOfManual(folder: string, socket: string): Promise<Record<string, string>> {
  const etc = join(folder, "etc");
  const script = `mkdir -p '${etc}/handoff'; sudo() { "$@"; }; systemctl() { :; }\n${manualBlock("proxies", "HANDOFF_TRUSTED_PROXY=").replaceAll("/etc/", `${etc}/`)}`;
  const shell = Bun.spawn(["bash", "-euo", "pipefail", "-c", script], { stdout: "ignore", stderr: "pipe" });
  const [stderr, exitCode] = await Promise.all([shell.stderr.text(), shell.exited]);
  if (exitCode !== 0) throw new Error(`the manual's lines fail: ${stderr}`);
  const text = readFileSync(join(etc, "handoff/env"), "utf8")
    .replace("/run/handoff/socket", socket)
    .replace("=www-data", `=${process.getgid?.()}`);
  writeFileSync(join(etc, "handoff/env"), text);
  return Object.fromEntries(text.split("\n").flatMap((line) => (line ? [line.split("=", 2) as [string, string]] : [])));
}
