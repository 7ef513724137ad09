// A process that takes every byte of the disk that the file argv[2] is on, and again every 2 ms whatever has come free.
import { openSync, writeSync } from "node:fs";

const file = openSync(process.argv[2] ?? "", "a");
const zeros = new Uint8Array(64 * 1024);
for (;;) {
  for (let size = zeros.length; size >= 512;) {
    try {
      writeSync(file, zeros, 0, size);
    } catch {
      size /= 2;
    }
  }
  Bun.sleepSync(2);
}
