import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "../../src/cli/run.ts";
import { createHttpClient } from "../../src/client/http-client.ts";
import { sealContent, storeLargeSecret } from "../../src/client/large/large-secrets.ts";
import { getSecret } from "../../src/client/secrets.ts";
import { parseSecretLink } from "../../src/crypto/secret-links.ts";
import type { ServerPolicy } from "../../src/domain/server-policies.ts";
import { streamOf } from "./byte-streams.ts";
import { startTestServer } from "./server.ts";
import { openSqliteStorage } from "./sqlite-storage.ts";
import { temporaryFolder } from "./temporary.ts";
import { createTestTerminal } from "./terminals.ts";
import type { TestTerminalOptions } from "./terminals.ts";

export const KIB = 1024;

/** The real app over a data folder, which takes 64 KiB in one envelope, and somebody who uses it. */
export async function openLargePlace(policy: Partial<ServerPolicy> = {}) {
  const server = await startTestServer({
    policy: { maxCiphertextBytes: 64 * KIB, ...policy },
    storage: openSqliteStorage(),
  });
  const folder = temporaryFolder();
  const { token } = await server.backend.mint();
  const env = { HOME: folder.path, PATH: process.env["PATH"], HANDOFF_URL: server.url, HANDOFF_API_KEY: token };
  const client = createHttpClient({ baseUrl: server.url, credential: token });
  /** Runs a command, in this process. */
  const call = async (args: readonly string[], options: TestTerminalOptions = {}) => {
    const terminal = createTestTerminal({ env, ...options });
    const exitCode = await run(args, terminal);
    return { exitCode, stdout: terminal.output(), said: terminal.said.join("\n"), asked: terminal.asked };
  };
  const must = async (args: readonly string[], options?: TestTerminalOptions) => {
    const { exitCode, stdout, said } = await call(args, options);
    if (exitCode !== 0) throw new Error(said);
    return stdout.trim();
  };
  const path = (...names: readonly string[]) => join(folder.path, ...names);
  return {
    server,
    client,
    env,
    call,
    must,
    path,
    write(name: string, bytes: Uint8Array | string) {
      writeFileSync(path(name), bytes);
      return path(name);
    },
    /** A link to a large secret with this content. */
    async plant(content: Uint8Array, passphrase?: string) {
      const sealed = await sealContent(streamOf(content), passphrase, undefined);
      const bytes = sealed.sizeOf(content.length);
      const terms = { ttlSeconds: undefined, maxClaims: undefined };
      return (await storeLargeSecret(client, sealed, { ciphertext: sealed.ciphertext, bytes }, terms)).link;
    },
    stateOf: async (link: string) => getSecret(client, parseSecretLink(link).id),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

/** Bytes that begin like no archive, and are no text. */
export const randomBytes = (bytes: number) => {
  const all = new Uint8Array(bytes);
  for (let at = 0; at < bytes; at += 65_536) crypto.getRandomValues(all.subarray(at, at + 65_536));
  all[0] = 0xff;
  return all;
};

/** Everything below a folder, by its path. */
export const tree = (folder: string) => readdirSync(folder, { recursive: true }).map(String).toSorted(byName);
const byName = (one: string, other: string) => (one < other ? -1 : 1);
