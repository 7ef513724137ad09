import { measureFlushes } from "./flushes.ts";
import { measureLargeCreate, measureMemory } from "./footprint.ts";
import { measureHandovers } from "./handovers.ts";
import { measureLargeCalls } from "./large-calls.ts";
import { measurePhone } from "./phones.ts";
import { sealCiphertext } from "./requests.ts";
import { BOUND_NOTE } from "./rows.ts";
import { measureStarts } from "./starts.ts";
import { rowTable } from "./tables.ts";
import { measureGenerator, measureThroughput } from "./throughput.ts";
import { measureWaits } from "./waits.ts";
import { measureWebhooks } from "./webhooks.ts";

// What `scripts/bench/run` prints.
const ciphertext = await sealCiphertext(1024);
const rows = [
  ...(await measureThroughput(ciphertext)),
  ...(await measureFlushes(ciphertext)),
  await measureGenerator(ciphertext),
  ...(await measureStarts()),
  ...(await measureMemory(ciphertext)),
  await measureLargeCreate(ciphertext),
  ...(await measureLargeCalls(ciphertext)),
  await measureWaits(ciphertext),
  await measureWebhooks(ciphertext),
  ...(await measureHandovers()),
  ...(await measurePhone()),
];
console.log(`${rowTable(rows)}\n\n${BOUND_NOTE}`);
process.exit(0);
