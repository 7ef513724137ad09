// A process that takes locks. `lock-process.ts hold PATH…` takes them, prints which it has as JSON, and keeps them
// until standard input ends or it is killed; `try PATH…` does the same once it has read a line; both say "ready" first.
// `toggle PATH ROUNDS` takes and gives back the same lock again and again, and fails when somebody else has it
// meanwhile.
import { closeSync, openSync, rmSync } from "node:fs";
import { lockFile } from "../../src/store/sqlite/files/file-locks.ts";

const [, , mode, ...args] = process.argv;
const [path = "", rounds = "0"] = args;
if (mode === "toggle") {
  let held = 0;
  while (held < Number(rounds)) {
    using lock = lockFile(path);
    if (!lock) continue;
    // Fails when the file exists: then another process has made it while holding the lock.
    closeSync(openSync(`${path}.held`, "wx"));
    rmSync(`${path}.held`);
    held++;
  }
} else {
  const lines = Bun.stdin.stream().getReader();
  process.stdout.write("ready\n");
  if (mode === "try") await lines.read();
  const locks = args.map((each) => ({ path: each, lock: lockFile(each) }));
  process.stdout.write(`${JSON.stringify(locks.filter(({ lock }) => lock).map((each) => each.path))}\n`);
  await lines.read();
}
