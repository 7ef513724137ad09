import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeCertificate } from "./certificates.ts";
import { manualBlock } from "./manual.ts";
import { freePort } from "./ports.ts";

export const PROXIES = ["nginx", "caddy"] as const;
export type ProxyKind = (typeof PROXIES)[number];

/** A proxy as the manual has it, in front of a server. */
export interface Proxy extends AsyncDisposable {
  /** Where it listens, over TLS, with a certificate that only `ca` vouches for. */
  readonly url: string;
  readonly port: number;
  /** The path of the certificate. */
  readonly ca: string;
  /** All that it has logged. */
  readonly logs: () => string;
  /** The folder with everything that it keeps. */
  readonly folder: string;
}

interface ProxyOptions {
  /** A folder of its own that isn't there yet. */
  readonly folder: string;
  /** The socket of the server. */
  readonly upstream: string;
  /** Changes the block of the manual, for what goes wrong without a line of it. */
  readonly change?: (block: string) => string;
  /** The user of nginx's workers, when root runs the test and they are not to be root's. */
  readonly user?: string;
}

/** Starts a proxy with the manual's block for it, in which names, ports and paths alone are others. */
export async function startReverseProxy(kind: ProxyKind, options: ProxyOptions): Promise<Proxy> {
  const { folder, change = (block) => block } = options;
  mkdirSync(folder);
  const tls = makeCertificate(folder);
  const [port, plainPort] = [freePort(), freePort()];
  const place = { ...options, port, plainPort, ...tls };
  const command = PREPARE[kind](place, change(manualBlock("proxies", "", kind === "caddy" ? "caddyfile" : kind)));
  const output = join(folder, "output.log");
  const child = Bun.spawn(command, {
    env: { PATH: process.env["PATH"] ?? "", HOME: folder },
    stdin: "ignore",
    stdout: Bun.file(output),
    stderr: Bun.file(join(folder, "errors.log")),
  });
  const logs = () =>
    ["output.log", "errors.log", "handoff.log", "error.log"].map((name) => textOf(join(folder, name))).join("");
  const url = `https://localhost:${port}`;
  const ca = await Bun.file(tls.cert).text();
  const answers = () =>
    fetch(`${url}/health/live`, { tls: { ca } }).then(
      () => true,
      () => false,
    );
  while (!(await answers())) {
    if (child.exitCode !== null) throw new Error(`${kind} ended: ${logs()}`);
    await Bun.sleep(20);
  }
  return {
    url,
    port,
    ca: tls.cert,
    logs,
    folder,
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await child.exited;
    },
  };
}

interface ProxyPlace extends ProxyOptions {
  readonly port: number;
  readonly plainPort: number;
  readonly cert: string;
  readonly key: string;
}

/** Writes the configuration of each proxy, and returns the command that runs it. */
const PREPARE: Readonly<Record<ProxyKind, (place: ProxyPlace, block: string) => string[]>> = {
  nginx(place, block) {
    // As root it would give its workers to nobody, who may not look into the folder of a test.
    const { folder, user = "root" } = place;
    const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((each) => `${each}_temp_path ${each};`);
    writeFileSync(
      join(folder, "handoff.conf"),
      replaceAll(block, [
        ["listen 443", `listen 127.0.0.1:${place.port}`],
        ["listen [::]:443", `listen [::1]:${place.port}`],
        ["listen 80", `listen 127.0.0.1:${place.plainPort}`],
        ["listen [::]:80", `listen [::1]:${place.plainPort}`],
        ["handoff.example", "localhost"],
        ["/etc/handoff/tls.crt", place.cert],
        ["/etc/handoff/tls.key", place.key],
        ["/var/log/nginx/", `${folder}/`],
        ["/run/handoff/socket", place.upstream],
      ]),
    );
    // As Debian's, in which what is in conf.d is read so.
    writeFileSync(
      join(folder, "nginx.conf"),
      `${process.getuid?.() === 0 ? `user ${user};` : ""} daemon off; pid nginx.pid; events {}
       http { access_log access.log; ${temporary.join(" ")} include ${folder}/handoff.conf; }`,
    );
    return [programOf("nginx"), "-p", folder, "-c", join(folder, "nginx.conf"), "-e", "stderr"];
  },
  caddy(place, block) {
    const path = join(place.folder, "Caddyfile");
    const text = replaceAll(block, [
      ["handoff.example {", `localhost:${place.port} {`],
      ["/etc/handoff/tls.crt", place.cert],
      ["/etc/handoff/tls.key", place.key],
      ["/run/handoff/socket", place.upstream],
    ]);
    // The other addresses that it opens by itself: that of its administration, and port 80.
    writeFileSync(path, text.replace("{\n", `{\n\tadmin off\n\thttp_port ${place.plainPort}\n`));
    return [programOf("caddy"), "run", "--config", path, "--adapter", "caddyfile"];
  },
};

/** Throws for what isn't there to be replaced. */
function replaceAll(text: string, pairs: readonly (readonly [from: string, to: string])[]): string {
  return pairs.reduce((result, [from, to]) => {
    if (!result.includes(from)) throw new Error(`the manual's block has no '${from}'`);
    return result.replaceAll(from, to);
  }, text);
}

function programOf(name: string): string {
  // Debian has nginx where it is not in everybody's PATH.
  const program = Bun.which(name, { PATH: `${process.env["PATH"]}:/usr/sbin` });
  if (!program) throw new Error(`${name} is missing: run scripts/test-tools`);
  return program;
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
