import { measureFlushes } from "./flushes.ts";
import { measureLargeCreate, measureMemory, measureVersion } from "./footprint.ts";
import { measureHandovers } from "./handovers.ts";
import { sealCiphertext } from "./requests.ts";
import { BOUND_NOTE } from "./rows.ts";
import { rowTable } from "./tables.ts";
import { measureGenerator, measureThroughput } from "./throughput.ts";

// What `scripts/bench/run` prints.
const ciphertext = await sealCiphertext(1024);
const rows = [
  ...(await measureThroughput(ciphertext)),
  ...(await measureFlushes(ciphertext)),
  await measureGenerator(ciphertext),
  await measureVersion(),
  ...(await measureMemory(ciphertext)),
  await measureLargeCreate(ciphertext),
  ...(await measureHandovers()),
];
console.log(`${rowTable(rows)}\n\n${BOUND_NOTE}`);
process.exit(0);
