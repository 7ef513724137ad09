import { writeOn } from "./postgres-load.ts";
// A process of its own with a store over the PostgreSQL that argv[2] says how to connect to. It creates secrets of the
// team argv[3] with keys that begin with argv[4], until it is killed, and prints the id of each that was acknowledged.
import { openOver } from "./postgres.ts";
import { createTestClock } from "./test-clocks.ts";

const [, , connection = "", teamId = "", name = ""] = process.argv;
const place = await openOver(JSON.parse(connection), createTestClock());
const tell = (id: string) => void process.stdout.write(`${id}\n`);
await Promise.all(
  Array.from({ length: 4 }, (_, number) => writeOn(place, teamId, `${name} ${number}`, () => false, tell)),
);
