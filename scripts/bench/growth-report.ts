import { measureCalls } from "./growths.ts";
import { aim, count, markdownTable, microseconds } from "./tables.ts";

/** The logarithm grows by half from the first size to the last; a greater growth has another reason. */
const MOST_GROWTH = 3;

// What `scripts/bench/growth` prints.
const sizes = process.argv.slice(2).map(Number);
if (sizes.length < 2 || !sizes.every((size) => size > 0)) throw new Error("how many secrets are to be stored?");
const results: Map<string, number>[] = [];
for (const size of sizes) results.push(await measureCalls(size));
const [first, last] = [results[0], results.at(-1)];
const rows = [...(last ?? [])].map(([name, time]): readonly string[] => {
  const growth = time / (first?.get(name) ?? Number.NaN);
  const times = results.map((each) => microseconds(each.get(name) ?? Number.NaN));
  return [name, ...times, aim(growth.toFixed(2), growth <= MOST_GROWTH)];
});
console.log(markdownTable(["processor time", ...sizes.map((size) => `${count(size)} stored`), "growth"], rows));
process.exit(0);
