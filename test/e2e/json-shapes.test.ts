import { expect, test } from "bun:test";
import Ajv from "ajv";
import { withJsonLists } from "../../scripts/json-list.ts";
import { listCommands, walkCommands, walkStores } from "../support/command-walk.ts";
import type { NewPlace } from "../support/command-walk.ts";
import { COMMANDS, membersOf, schemaOf } from "../support/json-shapes.ts";
import type { Printed } from "../support/json-shapes.ts";
import { manualText } from "../support/manual.ts";
import { urlOf } from "../support/postgres-urls.ts";
import { sharedPostgres } from "../support/shared-postgres.ts";
import { runHere } from "../support/terminals.ts";

test("the manual describes the tested shapes of --json", () => {
  expect(withJsonLists(manualText("json"))).toBe(manualText("json"));
});

test("exactly the commands with --json have shapes", async () => {
  const commands = await listCommands();
  const helps = await Promise.all(commands.map((each) => runHere(["help", ...each.split(" ")], {})));
  const takers = commands.filter((_, at) => helps[at]?.stdout.includes(" --json "));
  expect(takers.toSorted()).toEqual(Object.keys(COMMANDS).toSorted());
});

const ajv = new Ajv({ strict: false, formats: { "date-time": true } });

/** The objects printed in this way; undefined for a line that is none. */
function objectsOf({ as }: Printed, stdout: string): object[] | undefined {
  const lines = stdout.trimEnd().split("\n");
  if (as !== "lines" && lines.length > 1) return undefined;
  const parsed = lines.map((line) => JSON.parse(line));
  if (as === "array") return Array.isArray(parsed[0]) ? parsed[0] : undefined;
  return parsed.every((each) => !Array.isArray(each)) ? parsed : undefined;
}

/** Complaints about the output; empty when it matches. */
function complaintsOf(printed: Printed, stdout: string): unknown[] {
  const objects = objectsOf(printed, stdout);
  if (!objects) return [`this is not: ${printed.as}`];
  const { shape, last = shape } = printed;
  const checks = [ajv.compile(schemaOf(shape)), ajv.compile(schemaOf(last))] as const;
  return objects.flatMap((each, index) => {
    const check = checks[index === objects.length - 1 ? 1 : 0];
    return check(each) ? [] : [{ each, error: check.errors?.at(-1) }];
  });
}

// The people of these are signed in there, or prove an address.
const ONLY_IN_THE_PAGE = ["sender", "person", "account", "proof"];
// Only a server that logs addresses has them, and one that has run for a minute.
const ONLY_LATER = ["network", "sealed_until", "hash"];

test("each command's --json output has exactly the members and types of the manual, over PostgreSQL too", async () => {
  const seen = new Set<string>();
  await using cluster = await sharedPostgres();
  const inPostgres: NewPlace = async () => ["--database", urlOf(await cluster.makeDatabase())];
  const takes = (command: string) => Object.hasOwn(COMMANDS, command) && command !== "run";
  // All others see nothing but the API.
  const walks = [walkCommands(["--json"], takes), walkStores(["--json"], takes, inPostgres)];
  const steps = (await Promise.all(walks)).flat();
  for (const { command, args, outcome } of steps) {
    const all = COMMANDS[command] ?? [];
    if (all.length === 0) continue;
    const { stdout, stderr } = outcome;
    expect({ command, args, stderr }).toEqual({ command, args, stderr: "" });
    const found = all.find((printed) => complaintsOf(printed, stdout).length === 0);
    const complaints = found ? [] : all.map((printed) => complaintsOf(printed, stdout));
    expect({ command, args, complaints }).toEqual({ command, args, complaints: [] });
    if (!found) continue;
    const objects = objectsOf(found, stdout) ?? [];
    // An empty array shows no shape.
    if (objects.length > 0) seen.add(`${command}: ${found.as} ${found.shape}`);
    for (const [name, value] of objects.flatMap((each) => Object.entries(each))) if (value !== null) seen.add(name);
  }
  const wanted = Object.entries(COMMANDS).flatMap(([command, all]) =>
    all.map(({ as, shape }) => `${command}: ${as} ${shape}`),
  );
  expect(wanted.filter((each) => !seen.has(each))).toEqual([]);
  const nullable = Object.values(COMMANDS).flatMap((all) =>
    all.flatMap(({ shape, last = shape }) => [...nullableOf(shape), ...nullableOf(last)]),
  );
  expect([...new Set(nullable)].filter((name) => !seen.has(name))).toEqual([...ONLY_IN_THE_PAGE, ...ONLY_LATER]);
}, 240_000);

/** The members of a shape that may be null. */
function nullableOf(shape: Printed["shape"]): string[] {
  return Object.entries(membersOf(shape)).flatMap(([name, { anyOf }]) =>
    anyOf?.some(({ type }: { readonly type?: string }) => type === "null") ? [name] : [],
  );
}
