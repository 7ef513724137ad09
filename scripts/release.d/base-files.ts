import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "./commands.ts";
import { openStaging } from "./staging.ts";

/** The libraries that Bun links, and what they load by themselves to look up a name. */
const LIBRARIES = /^(libc|libm|libpthread|libdl|libresolv)\.so\.\d+$/;
/** The folder of libraries and the loader's path, by Debian's name of the processor. */
const PLACES: Readonly<Record<string, { readonly folder: string; readonly loader: string }>> = {
  amd64: { folder: "lib/x86_64-linux-gnu", loader: "lib64/ld-linux-x86-64.so.2" },
  arm64: { folder: "lib/aarch64-linux-gnu", loader: "lib/ld-linux-aarch64.so.1" },
};

/** A file of an image; its path is relative. */
export interface ImageFile {
  readonly path: string;
  readonly content: string | Uint8Array;
  readonly isExecutable?: boolean;
}

/** What an image needs of Debian. */
export interface Base {
  /** Such as `libc6 2.36-9`. */
  readonly packages: readonly string[];
  readonly files: ReadonlyMap<string, readonly ImageFile[]>;
}

/**
 * Takes the C library for each of `archs`, and the certificates of authorities, from the newest packages of this
 * machine's Debian. apt checks their signatures.
 */
export async function readBase(archs: readonly string[]): Promise<Base> {
  using work = openStaging();
  await download(work.path, [...archs.map((arch) => `libc6:${arch}`), "ca-certificates"], archs);
  const packages: string[] = [];
  const files = new Map<string, ImageFile[]>();
  for (const name of readdirSync(work.path)
    .filter((each) => each.endsWith(".deb"))
    .toSorted()) {
    const archive = join(work.path, name);
    const [title = "", version = "", arch = ""] = await fieldsOf(archive, ["Package", "Version", "Architecture"]);
    const root = join(work.path, `${title}-${arch}`);
    await run(["dpkg-deb", "-x", archive, root]);
    packages.push(`${title} ${version}`);
    const found = title === "libc6" ? libraryFiles(root, arch) : certificateFiles(root);
    for (const each of arch === "all" ? archs : [arch]) files.set(each, [...(files.get(each) ?? []), ...found]);
  }
  return { packages: [...new Set(packages)], files };
}

/** Downloads packages with the sources and keys of this machine, and leaves its own lists alone. */
async function download(folder: string, packages: readonly string[], archs: readonly string[]): Promise<void> {
  for (const each of ["state/lists/partial", "cache/archives/partial"]) {
    mkdirSync(join(folder, each), { recursive: true });
  }
  writeFileSync(join(folder, "status"), "");
  const configuration = join(folder, "apt.conf");
  const lines = [
    `Dir::State "${folder}/state";`,
    `Dir::State::status "${folder}/status";`,
    `Dir::Cache "${folder}/cache";`,
    `APT::Architecture "${archs[0]}";`,
    `APT::Architectures { ${archs.map((arch) => `"${arch}";`).join(" ")} };`,
    'APT::Sandbox::User "root";',
    'Acquire::Languages "none";',
  ];
  writeFileSync(configuration, lines.join("\n"));
  const env = { APT_CONFIG: configuration };
  await run(["apt-get", "--quiet=2", "update"], { env });
  await run(["apt-get", "--quiet=2", "download", ...packages], { env, cwd: folder });
}

async function fieldsOf(archive: string, names: readonly string[]): Promise<string[]> {
  return Promise.all(names.map(async (name) => (await run(["dpkg-deb", "-f", archive, name])).trim()));
}

function libraryFiles(root: string, arch: string): ImageFile[] {
  const place = PLACES[arch];
  if (!place) throw new Error(`there is no image for the processor '${arch}'`);
  const names = readdirSync(join(root, place.folder)).filter((name) => LIBRARIES.test(name));
  // A link, whose target is in the same package.
  const loader = readFileSync(join(root, place.folder, place.loader.split("/").at(-1) ?? ""));
  return [
    { path: place.loader, content: loader, isExecutable: true },
    ...names.toSorted().map((name) => ({
      path: `${place.folder}/${name}`,
      content: readFileSync(join(root, place.folder, name)),
    })),
    { path: "usr/share/doc/libc6/copyright", content: readFileSync(join(root, "usr/share/doc/libc6/copyright")) },
  ];
}

function certificateFiles(root: string): ImageFile[] {
  const folder = join(root, "usr/share/ca-certificates/mozilla");
  const certificates = readdirSync(folder).toSorted();
  return [
    {
      path: "etc/ssl/certs/ca-certificates.crt",
      content: certificates.map((name) => readFileSync(join(folder, name), "utf8")).join(""),
    },
    {
      path: "usr/share/doc/ca-certificates/copyright",
      content: readFileSync(join(root, "usr/share/doc/ca-certificates/copyright")),
    },
  ];
}
