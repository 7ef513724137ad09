import { expect, test } from "bun:test";
import { readFileSync, renameSync, rmSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { handoffCommand } from "../support/executable.ts";
import { sendLocked } from "../support/foreign-secrets.ts";
import { mountTmpfs } from "../support/mounts.ts";
import { openPlace } from "../support/people.ts";
import type { Outcome, Person } from "../support/people.ts";

// The server hands a secret out once, without replays.
const NO_REPLAY = ["--replay-window", "0"];
const idOf = (link: string) => /sec_\w+/.exec(link)?.[0] ?? "";
const claimsOf = (person: Person) => person.files().filter((file) => file.includes("/claims/"));

/** The files left by `script`, which calls `handoff`. */
async function inShell(person: Person, script: string): Promise<Outcome> {
  const child = Bun.spawn(["bash", "-c", `handoff() { '${handoffCommand()[0]}' "$@"; }\n${script}`], {
    cwd: person.home,
    env: { ...person.env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr, exitCode] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { exitCode, stdout, stderr };
}

test("a file in the way is left alone, and a secret that cannot be opened again is saved beside it", async () => {
  await using place = await openPlace(NO_REPLAY);
  const [ann, bob] = [await place.member("ann"), place.person("bob")];
  await Bun.write(join(ann.home, "key"), "fake-local-test-only");
  await Bun.write(join(ann.home, "other"), "other");
  await Bun.write(join(bob.home, "out/key"), "mine");
  const link = await ann.must(["send", "key", "other"]);
  const { exitCode, stdout, stderr } = await bob.run(["open", "--yes", "--output", "out"], { stdin: link });
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
  const saved = join(bob.home, "out", idOf(link));
  expect(stderr).toBe(
    `handoff: '${join(bob.home, "out/key")}' already exists. It can't be opened again, so it was saved in the new directory '${saved}'.\n`,
  );
  expect(bob.files()).toEqual(["out/key", `out/${idOf(link)}/key`, `out/${idOf(link)}/other`]);
  expect(readFileSync(join(bob.home, "out/key"), "utf8")).toBe("mine");
  expect(readFileSync(join(saved, "key"), "utf8")).toBe("fake-local-test-only");
});

test("files with a file in the way are not lost", async () => {
  await using place = await openPlace(NO_REPLAY);
  const [ann, bob] = [await place.member("ann"), place.person("bob")];
  await Bun.write(join(ann.home, "key"), "fake-local-test-only");
  await Bun.write(join(bob.home, "taken"), "mine");
  const stdin = await ann.must(["send", "key"]);
  const { exitCode, stdout, stderr } = await bob.run(["open", "--yes", "--force", "-o", "taken"], { stdin });
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
  expect(stderr).toMatch(
    /^handoff: Can't write to 'taken': a part of its path isn't a directory\. It can't be opened again/,
  );
  expect(bob.files()).toEqual([`${idOf(stdin)}/key`, "taken"]);
  expect(readFileSync(join(bob.home, "taken"), "utf8")).toBe("mine");
});

test("the same command succeeds after a wrong passphrase or a full standard output", async () => {
  await using place = await openPlace(NO_REPLAY);
  const [ann, bob] = [await place.member("ann"), place.person("bob")];
  for (const name of ["wrong", "right"]) {
    await Bun.write(join(bob.home, name), `${name}\n`);
  }
  const link = await sendLocked(place, { kind: "text", text: "precious" }, "right");
  await Bun.write(join(bob.home, "link"), link);
  const failures = [
    ["handoff open --yes --passphrase-file wrong < link", 5],
    ["handoff open --yes --passphrase-file right < link > /dev/full", 1],
  ] as const;
  for (const [script, exitCode] of failures) {
    const failed = await inShell(bob, script);
    expect({ script, exitCode: failed.exitCode, stdout: failed.stdout }).toEqual({ script, exitCode, stdout: "" });
    expect(failed.stderr).toContain(
      "Run the same command within a day: the secret is kept on this machine, encrypted.",
    );
    // The server has handed it out, and the copy kept here opens nothing without the link.
    expect(await ann.must(["status", idOf(link)])).toStartWith("opened");
    for (const file of claimsOf(bob)) expect(readFileSync(join(bob.home, file), "utf8")).not.toContain("precious");
  }
  expect((await inShell(bob, "handoff open --yes --passphrase-file right < link")).stdout).toBe("precious");
  expect(claimsOf(bob)).toEqual([]);
  expect((await inShell(bob, "handoff open --yes --passphrase-file right < link")).exitCode).toBe(4);
}, 60_000);

test("a submission is not lost either", async () => {
  await using place = await openPlace(NO_REPLAY);
  const ann = await place.member("ann", ["requests:create", "requests:read", "secrets:claim"]);
  const request = await ann.must(["request"]);
  await ann.must(["submit", request], { stdin: "precious" });
  const id = /req_\w+/.exec(request)?.[0] ?? "";
  expect((await inShell(ann, `handoff collect ${id} > /dev/full`)).exitCode).toBe(1);
  expect((await inShell(ann, `handoff collect ${id}`)).stdout).toBe("precious");
});

test("where nothing can be kept a warning comes first, and an undeliverable secret is saved elsewhere", async () => {
  await using place = await openPlace(NO_REPLAY);
  const [ann, bob] = [await place.member("ann"), place.person("bob")];
  await Bun.write(join(ann.home, "file"), "precious");
  using home = mountTmpfs("1m", "ro");
  const link = await ann.must(["send", "file"]);
  await Bun.write(join(bob.home, "link"), link);
  await Bun.write(join(bob.home, "out/file"), "mine");
  const failed = await inShell(bob, `HOME=${home.path} handoff open --yes --output out < link`);
  expect(failed.exitCode).toBe(1);
  expect(failed.stderr).toContain("If this fails, it can't be repeated: neither");
  expect(failed.stderr).toContain(`saved in the new directory '${join(bob.home, "out", idOf(link))}'`);
  expect(readFileSync(join(bob.home, "out", idOf(link), "file"), "utf8")).toBe("precious");
  // A writable folder keeps it there.
  const second = await ann.must(["send"], { stdin: "text" });
  await Bun.write(join(bob.home, "link"), second);
  const runtime = `HOME=${home.path} XDG_RUNTIME_DIR=${bob.home}/runtime handoff open --yes < link`;
  expect((await inShell(bob, `${runtime} > /dev/full`)).stderr).toContain("is kept on this machine, encrypted");
  expect(await inShell(bob, runtime)).toEqual({ exitCode: 0, stdout: "text", stderr: "" });
  rmSync(join(bob.home, "runtime"), { recursive: true });
}, 60_000);

test("a kept secret is found even when the command ended before its file had its name", async () => {
  await using place = await openPlace(NO_REPLAY);
  const [ann, bob] = [await place.member("ann"), place.person("bob")];
  const open = "handoff open --yes < link";
  for (const isWhole of [true, false]) {
    await Bun.write(join(bob.home, "link"), await ann.must(["send"], { stdin: "precious" }));
    expect((await inShell(bob, `${open} > /dev/full`)).exitCode).toBe(1);
    const kept = join(bob.home, claimsOf(bob).find((file) => file.endsWith(".envelope")) ?? "");
    renameSync(kept, `${kept}.new`);
    if (!isWhole) truncateSync(`${kept}.new`, 100);
    const { exitCode, stdout, stderr } = await inShell(bob, open);
    expect({ isWhole, exitCode, stdout }).toEqual(
      isWhole ? { isWhole, exitCode: 0, stdout: "precious" } : { isWhole, exitCode: 4, stdout: "" },
    );
    expect(stderr).toBe(
      isWhole
        ? ""
        : "handoff: A command on this machine claimed this secret and didn't finish, and it can't be opened again. Ask the sender to send it again.\n",
    );
    expect(claimsOf(bob)).toEqual([]);
  }
}, 30_000);
