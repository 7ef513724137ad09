import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "./commands.ts";
import { configurationOf } from "./deb.ts";
import type { PackageOptions } from "./deb.ts";
import type { PackageFile } from "./package-files.ts";
import { openStaging } from "./staging.ts";

const RELEASE = 1;

/** Makes `handoff-VERSION-1.ARCH.rpm` with rpmbuild. The same files make the same bytes. */
export async function makeRpm({ files, source, directory, arch }: PackageOptions): Promise<void> {
  using staging = openStaging();
  using work = openStaging();
  const { epoch, version } = source;
  const placed = files.map(placeForRpm);
  staging.write(placed, epoch);
  const spec = join(work.path, "handoff.spec");
  writeFileSync(spec, specOf(version, staging.path, placed));
  const definitions = {
    _topdir: work.path,
    // Nothing of the machine that it is made on.
    _buildhost: "localhost",
    use_source_date_epoch_as_buildtime: "1",
    clamp_mtime_to_source_date_epoch: "1",
    // Stripping would take away the program, which follows Bun in the executable.
    __os_install_post: "%{nil}",
    debug_package: "%{nil}",
    _build_id_links: "none",
    _binary_payload: "w9.zstdio",
  };
  const defines = Object.entries(definitions).flatMap(([name, value]) => ["--define", `${name} ${value}`]);
  await run(["rpmbuild", "-bb", `--target=${arch}-linux`, ...defines, spec], {
    env: { SOURCE_DATE_EPOCH: String(epoch) },
  });
  const name = `handoff-${version}-${RELEASE}.${arch}.rpm`;
  await run(["mv", join(work.path, "RPMS", arch, name), join(directory, name)]);
}

/** Fedora and its relatives look for completions of zsh elsewhere. */
function placeForRpm(file: PackageFile): PackageFile {
  return { ...file, path: file.path.replace("/zsh/vendor-completions/", "/zsh/site-functions/") };
}

function specOf(version: string, staging: string, files: readonly PackageFile[]): string {
  const configuration = new Set(configurationOf(files));
  const lines = files.map(({ path, isExecutable }) => {
    const kind = configuration.has(path) ? "%config(noreplace) " : "";
    return `${kind}%attr(${isExecutable ? "0755" : "0644"},root,root) ${path}`;
  });
  return `Name: handoff
Version: ${version}
Release: ${RELEASE}
Summary: Send and receive secrets, encrypted end to end
License: see /usr/share/doc/handoff/copyright
AutoReqProv: no
Requires: libc.so.6(GLIBC_2.17)(64bit)

%description
One executable: a server, a command line, a browser page and an MCP server for AI agents. The server stores only
ciphertext and deletes it once it has been opened. It never sees plaintext, passphrases or decryption keys.

%install
cp -a ${staging}/. %{buildroot}/

${readFileSync(join(import.meta.dir, "scriptlets.spec"), "utf8")}
%files
%dir %attr(0755,root,root) /etc/handoff
%dir %attr(0755,root,root) /usr/share/doc/handoff
${lines.join("\n")}
`;
}
