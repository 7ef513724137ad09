import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { openPlace } from "../support/people.ts";
import { until } from "../support/polls.ts";

/**
 * Everything that other users on the machine can see while commands run: arguments, foreign environments, temporary
 * files.
 */
function watchMachine(marker: string, own: () => ReadonlySet<number>) {
  const seen = new Set<string>();
  const look = () => {
    for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
      for (const what of ["cmdline", "environ"]) {
        if (what === "environ" && (own().has(Number(pid)) || Number(pid) === process.pid)) continue;
        if (readQuietly(`/proc/${pid}/${what}`).includes(marker))
          seen.add(`${what} of ${readQuietly(`/proc/${pid}/comm`).trim()}`);
      }
    }
    for (const name of readdirSync("/tmp")) {
      const path = join("/tmp", name);
      if (statSync(path, { throwIfNoEntry: false })?.isFile() && readQuietly(path).includes(marker)) seen.add(path);
    }
  };
  const timer = setInterval(look, 3);
  return {
    seen: () => [...seen],
    end: () => clearInterval(timer),
  };
}

function readQuietly(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}

test("secrets are in no arguments, foreign environments, temporary files, logs, or state", async () => {
  await using place = await openPlace();
  const [ann, bob] = [await place.member("ann"), place.person("bob")];
  const marker = `marker${crypto.randomUUID().replaceAll("-", "")}`;
  const watch = watchMachine(marker, () => new Set(childrenOf("sleep")));
  const piped = await ann.must(["send"], { stdin: `${marker} piped` });
  await Bun.write(join(ann.home, "file"), `${marker} file`.repeat(50_000));
  await Bun.write(join(bob.home, "pass"), `${marker}-pass\n`);
  const file = await ann.must(["send", join(ann.home, "file"), "--passphrase-file", join(bob.home, "pass")]);
  expect(await bob.must(["open", "--yes"], { stdin: piped })).toBe(`${marker} piped`);
  await bob.must(["open", "--yes", file, "--passphrase-file", "pass", "-o", "out"]);
  await Bun.write(join(bob.home, "link"), await ann.must(["send"], { stdin: marker }));
  const ran = await bob.run(["run", "--env", "S=@link", "--", "sleep", "0.3"]);
  expect(ran.exitCode).toBe(0);
  expect(watch.seen()).toEqual([]);
  // The observer would have seen it.
  const careless = Bun.spawn(["cat", "-"], { env: { CARELESS: marker }, stdin: "pipe" });
  await until(() => watch.seen().length > 0, 1);
  careless.kill();
  expect(watch.seen()).toEqual(["environ of cat"]);
  watch.end();
  expect(place.server.stderr()).not.toContain(marker);
  for (const name of readdirSync(join(place.folder, "data")))
    expect(readQuietly(join(place.folder, "data", name))).not.toContain(marker);
  for (const name of bob.files().filter((each) => !["out/file", "pass"].includes(each))) {
    expect(readQuietly(join(bob.home, name))).not.toContain(marker);
  }
  expect(existsSync(join(bob.home, "out/file"))).toBe(true);
}, 120_000);

/** The processes of that name: the command that `run` started may have the secret in its environment. */
function childrenOf(name: string): number[] {
  return readdirSync("/proc")
    .filter((pid) => /^\d+$/.test(pid) && readQuietly(`/proc/${pid}/comm`).trim() === name)
    .map(Number);
}
