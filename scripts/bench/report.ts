import { measureLargeCreate, measureMemory, measureVersion } from "./footprint.ts";
import { sealCiphertext } from "./requests.ts";
import { markdownTable } from "./tables.ts";
import { measureGenerator, measureThroughput } from "./throughput.ts";

// What `scripts/bench/run` prints.
const ciphertext = await sealCiphertext(1024);
const rows = [
  ...(await measureThroughput(ciphertext)),
  await measureGenerator(ciphertext),
  await measureVersion(),
  ...(await measureMemory(ciphertext)),
  await measureLargeCreate(ciphertext),
];
console.log(markdownTable(rows));
process.exit(0);
