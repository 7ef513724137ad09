import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { packTar } from "modern-tar";
import type { TarEntry } from "modern-tar";
import { describeLicenses } from "../../src/cli/server/components/components.ts";
import { readBase } from "./base-files.ts";
import type { ImageFile } from "./base-files.ts";
import type { Source } from "./source.ts";

/** The user that the server runs as: no one whom the machine of a container has. */
const USER = 65532;
const ACCOUNTS: readonly ImageFile[] = [
  { path: "etc/passwd", content: `root:x:0:0:root:/:/none\nhandoff:x:${USER}:${USER}:handoff:/data:/none\n` },
  { path: "etc/group", content: `root:x:0:\nhandoff:x:${USER}:\n` },
  { path: "etc/nsswitch.conf", content: "passwd: files\ngroup: files\nhosts: files dns\n" },
];
const FOLDERS = [
  { path: "data", mode: 0o700, owner: USER },
  { path: "tmp", mode: 0o1777, owner: 0 },
] as const;

/** A part of an image: its bytes, and what the parts above know it by. */
interface Blob {
  readonly bytes: Uint8Array;
  readonly descriptor: { readonly mediaType: string; readonly digest: string; readonly size: number };
}

interface ImageOptions {
  /** An executable for each processor, as Debian and images name it. */
  readonly images: readonly { readonly executable: string; readonly arch: string }[];
  readonly source: Source;
  readonly directory: string;
}

/**
 * Makes `handoff-VERSION-oci.tar`, an image in the OCI layout for all the processors: the executable, the C library,
 * certificates of authorities, and a user without rights.
 */
export async function makeImage({ images, source, directory }: ImageOptions): Promise<void> {
  const base = await readBase(images.map(({ arch }) => arch));
  const blobs: Blob[] = [];
  const add = (mediaType: string, bytes: Uint8Array) => {
    const blob = { bytes, descriptor: { mediaType: `application/vnd.oci.image.${mediaType}`, ...identityOf(bytes) } };
    blobs.push(blob);
    return blob.descriptor;
  };
  const addJson = (mediaType: string, value: object) => add(mediaType, Buffer.from(JSON.stringify(value)));
  const labels = labelsOf(source, base.packages);

  const manifests: object[] = [];
  for (const { executable, arch } of images) {
    const system = [...ACCOUNTS, ...(base.files.get(arch) ?? [])];
    const program = [
      { path: "handoff", content: readFileSync(executable), isExecutable: true },
      { path: "usr/share/doc/handoff/copyright", content: describeLicenses() },
    ];
    const layers = [await packTar(entriesOf(system, source, FOLDERS)), await packTar(entriesOf(program, source))];
    const compressed = layers.map((layer) => add("layer.v1.tar+gzip", Bun.gzipSync(layer, { level: 6 })));
    const config = addJson("config.v1+json", {
      created: timeOf(source),
      architecture: arch,
      os: "linux",
      config: {
        User: `${USER}:${USER}`,
        Entrypoint: ["/handoff"],
        Cmd: ["serve"],
        Env: ["HANDOFF_DATA_DIR=/data", "HANDOFF_LISTEN=:8080", "HANDOFF_REQUIRE_ENCRYPTED=true"],
        ExposedPorts: { "8080/tcp": {} },
        Volumes: { "/data": {} },
        WorkingDir: "/data",
        StopSignal: "SIGTERM",
        Labels: labels,
      },
      rootfs: { type: "layers", diff_ids: layers.map((layer) => identityOf(layer).digest) },
      history: [
        { created: timeOf(source), comment: base.packages.join(", ") },
        { created: timeOf(source), comment: `handoff ${source.version}` },
      ],
    });
    const manifest = { schemaVersion: 2, mediaType: MANIFEST, config, layers: compressed, annotations: labels };
    manifests.push({ ...addJson("manifest.v1+json", manifest), platform: { architecture: arch, os: "linux" } });
  }
  const index = addJson("index.v1+json", { schemaVersion: 2, mediaType: INDEX, manifests, annotations: labels });
  const top = { ...index, annotations: { "org.opencontainers.image.ref.name": `handoff:${source.version}` } };
  const files = [
    { path: "oci-layout", content: '{"imageLayoutVersion":"1.0.0"}' },
    { path: "index.json", content: JSON.stringify({ schemaVersion: 2, mediaType: INDEX, manifests: [top] }) },
    ...blobs.map(({ bytes, descriptor }) => ({
      path: `blobs/sha256/${descriptor.digest.slice("sha256:".length)}`,
      content: bytes,
    })),
  ];
  writeFileSync(join(directory, `handoff-${source.version}-oci.tar`), await packTar(entriesOf(files, source)));
}

const MANIFEST = "application/vnd.oci.image.manifest.v1+json";
const INDEX = "application/vnd.oci.image.index.v1+json";

function labelsOf(source: Source, packages: readonly string[]): Readonly<Record<string, string>> {
  return {
    "org.opencontainers.image.title": "handoff",
    "org.opencontainers.image.description": "Send and receive secrets, encrypted end to end",
    "org.opencontainers.image.version": source.version,
    "org.opencontainers.image.revision": source.commit,
    "org.opencontainers.image.created": timeOf(source),
    "handoff.base": packages.join(", "),
  };
}

/** The entries of an archive, sorted, with the folders that they are in. */
function entriesOf(
  files: readonly ImageFile[],
  { epoch }: Source,
  folders: readonly { readonly path: string; readonly mode: number; readonly owner: number }[] = [],
): TarEntry[] {
  const mtime = new Date(epoch * 1000);
  const above = new Set(files.flatMap(({ path }) => ancestorsOf(path)));
  const plain = [...above].map((path) => ({ path, mode: 0o755, owner: 0 }));
  const entries: TarEntry[] = [...plain, ...folders].map(({ path, mode, owner }) => ({
    header: { name: `${path}/`, type: "directory", size: 0, mode, uid: owner, gid: owner, mtime },
  }));
  for (const { path, content, isExecutable } of files) {
    const body = typeof content === "string" ? Buffer.from(content) : content;
    const mode = isExecutable ? 0o755 : 0o644;
    entries.push({ header: { name: path, type: "file", size: body.length, mode, uid: 0, gid: 0, mtime }, body });
  }
  return entries.toSorted((a, b) => (a.header.name < b.header.name ? -1 : 1));
}

function ancestorsOf(path: string): string[] {
  const folder = dirname(path);
  return folder === "." ? [] : [...ancestorsOf(folder), folder];
}

function identityOf(bytes: Uint8Array): { readonly digest: string; readonly size: number } {
  return { digest: `sha256:${new Bun.CryptoHasher("sha256").update(bytes).digest("hex")}`, size: bytes.length };
}

function timeOf({ epoch }: Source): string {
  return new Date(epoch * 1000).toISOString();
}
