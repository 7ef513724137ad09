import { chmodSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "./commands.ts";
import type { PackageFile } from "./package-files.ts";
import type { Source } from "./source.ts";
import { openStaging } from "./staging.ts";

const SCRIPTS = ["postinst", "prerm", "postrm"] as const;

/** What a package is made from. */
export interface PackageOptions {
  readonly files: readonly PackageFile[];
  readonly source: Source;
  /** Where the package is written. */
  readonly directory: string;
  /** The processor, as the kind of package names it. */
  readonly arch: string;
}

/** Makes `handoff_VERSION_ARCH.deb` with dpkg-deb. The same files make the same bytes. */
export async function makeDeb({ files, source, directory, arch }: PackageOptions): Promise<void> {
  using staging = openStaging();
  const { epoch, version } = source;
  const all = [...files, ...documents(source)];
  const kibibytes = all.reduce((sum, { content }) => sum + Math.ceil(Buffer.byteLength(content) / 1024), 0);
  staging.write(all, epoch);
  staging.write(
    [
      { path: "DEBIAN/control", content: control(version, arch, kibibytes) },
      {
        path: "DEBIAN/conffiles",
        content: configurationOf(files)
          .map((path) => `${path}\n`)
          .join(""),
      },
      {
        path: "DEBIAN/md5sums",
        content: all
          .filter(({ isConfiguration }) => !isConfiguration)
          .map(md5Line)
          .join(""),
      },
      ...SCRIPTS.map((name) => ({
        path: `DEBIAN/${name}`,
        content: readFileSync(join(import.meta.dir, "debian", name)),
        isExecutable: true,
      })),
    ],
    epoch,
  );
  chmodSync(staging.path, 0o755);
  await run(
    ["dpkg-deb", "--root-owner-group", "-Zzstd", "-z9", "--build", staging.path].concat(
      join(directory, `handoff_${version}_${arch}.deb`),
    ),
    { env: { SOURCE_DATE_EPOCH: String(epoch) } },
  );
}

/** The files that a sysadmin may change. */
export function configurationOf(files: readonly PackageFile[]): string[] {
  return files.filter(({ isConfiguration }) => isConfiguration).map(({ path }) => path);
}

function control(version: string, arch: string, kibibytes: number): string {
  return `Package: handoff
Version: ${version}
Architecture: ${arch}
Maintainer: handoff <handoff@localhost>
Installed-Size: ${kibibytes}
Depends: libc6 (>= 2.17)
Recommends: ca-certificates
Section: net
Priority: optional
Description: Send and receive secrets, encrypted end to end
 One executable: a server, a command line, a browser page and an MCP server
 for AI agents. The server stores only ciphertext and deletes it once it has
 been opened. It never sees plaintext, passphrases or decryption keys.
`;
}

/** What Debian's policy asks for beside the files of every package. */
function documents({ version, epoch, commit }: Source): PackageFile[] {
  const date = new Date(epoch * 1000).toUTCString().replace("GMT", "+0000");
  const entry = `handoff (${version}) stable; urgency=medium\n\n  * Built from the commit ${commit}. README.md says what is new.\n\n -- handoff <handoff@localhost>  ${date}\n`;
  return [{ path: "/usr/share/doc/handoff/changelog.gz", content: Bun.gzipSync(entry, { level: 9 }) }];
}

function md5Line({ path, content }: PackageFile): string {
  return `${new Bun.CryptoHasher("md5").update(content).digest("hex")}  ${path.slice(1)}\n`;
}
