import { join } from "node:path";

/** nginx in front of a server. */
export interface Proxy extends AsyncDisposable {
  /** The Unix socket that it listens on. */
  readonly socket: string;
}

/**
 * Starts nginx with a configuration of its own in `folder`, as a proxy for the server that listens on the socket `upstream`;
 * `listen` are further addresses that it listens on.
 */
export async function startNginx(folder: string, upstream: string, listen: readonly string[] = []): Promise<Proxy> {
  const socket = join(folder, "nginx.sock");
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((each) => `${each}_temp_path ${each};`);
  const configuration = `
daemon off;
master_process off;
pid nginx.pid;
events {}
http {
  access_log off;
  ${temporary.join(" ")}
  server {
    listen unix:${socket};
    ${listen.map((each) => `listen ${each};`).join(" ")}
    location / {
      proxy_pass http://unix:${upstream}:;
      proxy_set_header Host $host;
      proxy_read_timeout 90s;
    }
  }
}
`;
  await Bun.write(join(folder, "nginx.conf"), configuration);
  // Debian has it where it is not in everybody's PATH.
  const program = Bun.which("nginx", { PATH: `${process.env["PATH"]}:/usr/sbin` });
  if (!program) throw new Error("nginx is missing: run scripts/test-tools");
  const child = Bun.spawn([program, "-p", folder, "-c", join(folder, "nginx.conf"), "-e", "stderr"], {
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
  });
  const isLive = () =>
    fetch("http://localhost/health/live", { unix: socket }).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isLive())) {
    if (child.exitCode !== null) throw new Error(`nginx ended: ${await child.stderr.text()}`);
    await Bun.sleep(20);
  }
  return {
    socket,
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await child.exited;
    },
  };
}
