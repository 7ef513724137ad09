import { expect, test } from "bun:test";
import { chmodSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { openPlace, runInTerminal } from "../support/people.ts";

test("a link goes into the clipboard, and not through any arguments", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann");
  const program = join(ann.home, "bin/xclip");
  await Bun.write(program, '#!/bin/sh\necho "$*" > "$HOME/arguments"\ncat > "$HOME/clipboard"\n');
  chmodSync(program, 0o755);
  const env = { PATH: `${join(ann.home, "bin")}:/usr/bin:/bin`, DISPLAY: ":0" };
  const link = await ann.must(["send", "--copy"], { stdin: "text", env });
  expect(readFileSync(join(ann.home, "clipboard"), "utf8")).toBe(link);
  expect(readFileSync(join(ann.home, "arguments"), "utf8")).not.toContain("/s/");
  const nowhere = await ann.run(["send", "--copy"], { stdin: "text" });
  expect(nowhere.exitCode).toBe(1);
  expect(nowhere.stdout).toMatch(/^http/);
  const shown = await runInTerminal(ann, ["send", "--copy", "--env", "S"], [], { S: "text" });
  const osc = /\]52;c;([\w+/=]+)/.exec(shown.screen)?.[1] ?? "";
  expect(shown.screen).toContain(Buffer.from(osc, "base64").toString());
}, 30_000);
