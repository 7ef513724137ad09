import { mkdirSync, readdirSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { writeChecksums } from "./checksums.ts";
import { run } from "./commands.ts";
import { makeDeb } from "./deb.ts";
import { makeImage } from "./image.ts";
import { packageFiles } from "./package-files.ts";
import { makeRpm } from "./rpm.ts";
import { findRuntime } from "./runtimes.ts";
import { writeSbom } from "./sbom.ts";
import { readSource } from "./source.ts";
import { TARGETS } from "./targets.ts";
import type { Target } from "./targets.ts";

const USAGE = `Usage: scripts/release [--only NAME]… [DIRECTORY]

Makes a release in DIRECTORY (dist/release): executables, packages for Debian and RPM, a container image, licenses, a
list of components, and checksums. With MINISIGN_KEY, the path of a key of minisign, the checksums are signed.
--only makes what comes from one executable: ${TARGETS.map(({ name }) => name).join(", ")}.`;

/** The folder of the manual's pages for man(1). What is in it when a release is made is in the packages. */
const MAN_PAGES = "dist/man";

const failures = await main(process.argv.slice(2));
for (const failure of failures) console.error(`scripts/release: ${failure}`);
process.exitCode = failures.length > 0 ? 1 : 0;

/** Makes the release. Resolves with what couldn't be made, and why. */
async function main(argv: readonly string[]): Promise<string[]> {
  const { values, positionals } = parseArgs({
    args: [...argv],
    options: { only: { type: "string", multiple: true }, help: { type: "boolean" } },
    allowPositionals: true,
  });
  if (values.help) {
    console.log(USAGE);
    return [];
  }
  const unknown = values.only?.find((name) => !TARGETS.some((target) => target.name === name));
  if (unknown !== undefined || positionals.length > 1) return [`invalid usage\n${USAGE}`];
  const directory = resolve(positionals[0] ?? "dist/release");
  mkdirSync(directory, { recursive: true });
  if (readdirSync(directory).length > 0) return [`'${directory}' isn't empty. Remove it, or choose another.`];

  const source = await readSource();
  const failed: string[] = [];
  const attempt = async (what: string, make: () => Promise<void>) => {
    try {
      console.error(`scripts/release: ${what}`);
      await make();
    } catch (error) {
      failed.push(`${what}: ${(error as Error).message}`);
    }
  };

  const chosen = TARGETS.filter(({ name }) => values.only?.includes(name) ?? true);
  const built: { readonly target: Target; readonly executable: string }[] = [];
  for (const target of chosen) {
    const executable = join(directory, `handoff-${source.version}-${target.name}${target.suffix ?? ""}`);
    await attempt(basename(executable), async () => {
      const runtime = await findRuntime(target.runtime);
      const flags = [`--target=${target.bunTarget}`, `--runtime=${runtime}`, `--outfile=${executable}`];
      await run(["scripts/build", ...flags]);
      built.push({ target, executable });
    });
  }
  for (const { target, executable } of built) {
    const { packages } = target;
    if (packages === undefined) continue;
    const files = packageFiles({ executable, manPages: MAN_PAGES });
    await attempt(`package for Debian, ${packages.deb}`, () =>
      makeDeb({ files, source, directory, arch: packages.deb }),
    );
    await attempt(`package for RPM, ${packages.rpm}`, () => makeRpm({ files, source, directory, arch: packages.rpm }));
  }
  const images = built.flatMap(({ target, executable }) =>
    target.packages === undefined ? [] : [{ executable, arch: target.packages.deb }],
  );
  if (images.length > 0) await attempt("container image", () => makeImage({ images, source, directory }));
  await attempt("licenses and components", async () => writeSbom({ source, directory }));
  await attempt("checksums", () => writeChecksums(directory, process.env["MINISIGN_KEY"]));
  return failed;
}
