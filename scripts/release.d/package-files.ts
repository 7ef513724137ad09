import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { completionScript } from "../../src/cli/completion/completion-scripts.ts";
import { describeLicenses } from "../../src/cli/server/components/components.ts";
import {
  backupTimer,
  backupUnit,
  PACKAGED_EXECUTABLE,
  serverUnit,
  SETTINGS_FILE,
} from "../../src/cli/server/systemd/units.ts";
import { settingsFile } from "./settings-file.ts";

/** A file that a package installs. */
export interface PackageFile {
  /** Its absolute path there. */
  readonly path: string;
  readonly content: string | Uint8Array;
  readonly isExecutable?: boolean;
  /** True when changes of the sysadmin outlive an upgrade. */
  readonly isConfiguration?: boolean;
}

const PACKAGED = { isPackaged: true } as const;
const UNITS = "/usr/lib/systemd/system";
const DOCUMENTS = "/usr/share/doc/handoff";

/** The files of a package for Debian or RPM around an executable. `manPages` is a folder of pages for man(1). */
export function packageFiles({ executable, manPages }: { executable: string; manPages: string }): PackageFile[] {
  return [
    { path: PACKAGED_EXECUTABLE, content: readFileSync(executable), isExecutable: true },
    { path: SETTINGS_FILE, content: settingsFile(), isConfiguration: true },
    { path: `${UNITS}/handoff.service`, content: serverUnit(PACKAGED) },
    { path: `${UNITS}/handoff-backup.service`, content: backupUnit(PACKAGED) },
    { path: `${UNITS}/handoff-backup.timer`, content: backupTimer(PACKAGED) },
    { path: "/usr/share/bash-completion/completions/handoff", content: completionOf("bash") },
    { path: "/usr/share/zsh/vendor-completions/_handoff", content: completionOf("zsh") },
    { path: "/usr/share/fish/vendor_completions.d/handoff.fish", content: completionOf("fish") },
    { path: `${DOCUMENTS}/README.md`, content: readFileSync("README.md") },
    { path: `${DOCUMENTS}/copyright`, content: describeLicenses() },
    ...manFiles(manPages),
  ];
}

function completionOf(shell: Parameters<typeof completionScript>[0]): string {
  return completionScript(shell, [PACKAGED_EXECUTABLE]);
}

/** The pages below `folder`, such as handoff.1, where they belong; none when there is no such folder. */
function manFiles(folder: string): PackageFile[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => /\.[1-8]$/.test(name))
    .toSorted()
    .map((name) => ({
      path: `/usr/share/man/man${name.at(-1)}/${name}.gz`,
      content: Bun.gzipSync(readFileSync(join(folder, name)), { level: 9 }),
    }));
}
