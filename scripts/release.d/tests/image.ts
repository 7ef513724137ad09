import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { temporaryFolder } from "../../../test/support/temporary.ts";
import { run } from "../commands.ts";
import { fileOfRelease } from "./releases.ts";

const USER = 65532;
const folder = temporaryFolder();

/** Runs a command with variables in the root `$0`, as a runtime of containers would, which adds /dev and /proc. */
const ENTER = `
mkdir -p "$0/dev" "$0/proc"
mount --rbind /dev "$0/dev"
mount --bind /proc "$0/proc"
variables=()
while [ "$1" != -- ]; do variables+=("$1"); shift; done
shift
exec env -i "\${variables[@]}" "$(command -v chroot)" --userspec=${USER}:${USER} "$0" "$@"`;

afterAll(() => folder[Symbol.dispose]());

/** Unpacks the image for a processor; resolves with the path of its file system, and its configuration. */
async function unpack(arch: string) {
  const [layout, bundle] = [join(folder.path, `${arch}-layout`), join(folder.path, arch)];
  const from = `oci-archive:${fileOfRelease("-oci.tar")}`;
  await run(["skopeo", "copy", "--quiet", `--override-arch=${arch}`, from, `oci:${layout}:image`]);
  await run(["umoci", "unpack", "--image", `${layout}:image`, bundle]);
  const { config } = JSON.parse(await run(["skopeo", "inspect", "--config", `oci:${layout}:image`]));
  return { root: join(bundle, "rootfs"), config };
}

test("the image's server needs nothing but the image, and no rights", async () => {
  const { root, config } = await unpack("amd64");
  expect(config).toMatchObject({ Entrypoint: ["/handoff"], Cmd: ["serve"], User: `${USER}:${USER}` });
  expect(config.Volumes).toEqual({ "/data": {} });
  expect(config.ExposedPorts).toEqual({ "8080/tcp": {} });
  const variables = [...config.Env, "HANDOFF_LISTEN=127.0.0.1:0"];
  const inside = ["unshare", "--mount", "bash", "-euc", ENTER, root, ...variables, "--"];
  const server = Bun.spawn([...inside, ...config.Entrypoint, ...config.Cmd], { stderr: "pipe", stdin: "ignore" });
  try {
    expect(await urlIn(server.stderr)).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(await run([...inside, "/handoff", "admin", "team", "create", "ops"])).toMatch(/^tea_/);
  } finally {
    server.kill();
  }
  expect(await server.exited).toBe(0);
});

/** The address of the server in its log, once it answers there. */
async function urlIn(log: ReadableStream<Uint8Array>): Promise<string> {
  let text = "";
  for await (const chunk of log) {
    text += new TextDecoder().decode(chunk);
    const url = /"url":"([^"]+)"/.exec(text)?.[1];
    if (url === undefined) continue;
    expect((await fetch(`${url}/health/ready`)).status).toBe(200);
    return url;
  }
  throw new Error(`the server ended: ${text}`);
}

test("the executable for arm64 keeps a database with the image's C library", async () => {
  const { root } = await unpack("arm64");
  const handoff = ["qemu-aarch64-static", "-L", root, join(root, "handoff")];
  expect(await run([...handoff, "version"])).toMatch(/^handoff \d/);
  const data = join(folder.path, "data");
  await run([...handoff, "admin", "team", "create", "ops", "--data-dir", data]);
  expect(await run([...handoff, "admin", "team", "list", "--data-dir", data])).toContain("ops");
});
