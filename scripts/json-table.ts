import { readFileSync, writeFileSync } from "node:fs";
import { OptionalKind } from "@sinclair/typebox";
import type { TSchema } from "@sinclair/typebox";
import { COMMANDS, SHAPES } from "../test/support/json-shapes.ts";
import type { Printed } from "../test/support/json-shapes.ts";

const README = "README.md";
const BEGIN = "<!-- json: printed by `bun scripts/json-table.ts` -->";
const END = "<!-- /json -->";

/** The tables of what --json prints, in Markdown. */
function jsonTables(): string {
  const byPrinted = new Map<string, string[]>();
  for (const [command, printed] of Object.entries(COMMANDS)) {
    const what = printed.map(describe).join(", or ") || "errors alone";
    byPrinted.set(what, [...(byPrinted.get(what) ?? []), `\`${command}\``]);
  }
  const commands = [...byPrinted].map(([what, names]) => `| ${names.join(", ")} | ${what} |`);
  const shapes = Object.entries(SHAPES).map(([name, { base, members }]) => {
    const own = Object.entries(members).map(([member, schema]) => `\`${member}\`${typeOf(schema)}`);
    return `| ${name} | ${base ? `all of a ${base}, and ` : ""}${own.join(", ")} |`;
  });
  const begin = (...headings: string[]) => [`| ${headings.join(" | ")} |`, `|${" --- |".repeat(headings.length)}`];
  return [...begin("command", "prints"), ...commands, "", ...begin("what", "members"), ...shapes].join("\n");
}

function describe({ as, shape }: Printed): string {
  return as === "object" ? shape : `${as === "array" ? "array" : "a line each"}: ${shape}`;
}

/** The type of a member, with a space before it; empty for a string of any form. */
function typeOf(schema: TSchema): string {
  const name = nameOf(schema);
  if (schema[OptionalKind as never] !== undefined || isNullable(schema)) return ` ${name || "string"}?`;
  return name && ` ${name}`;
}

function isNullable({ anyOf }: TSchema): boolean {
  return anyOf?.some(({ type }: TSchema) => type === "null") === true;
}

function nameOf(schema: TSchema): string {
  const { title, type, anyOf } = schema;
  if (isNullable(schema)) return nameOf(anyOf.find((each: TSchema) => each["type"] !== "null"));
  if (title !== undefined) return type === "object" || type === "array" || anyOf ? `(${title})` : title;
  return { integer: "number", boolean: "boolean" }[String(type)] ?? "";
}

/** `readme` with the current tables. Throws when the marks are missing. */
export function withJsonTables(readme: string): string {
  const start = readme.indexOf(BEGIN);
  const end = readme.indexOf(END);
  if (start < 0 || end < start) throw new Error(`${README} has no place for the tables of what --json prints`);
  return `${readme.slice(0, start) + BEGIN}\n\n${jsonTables()}\n\n${readme.slice(end)}`;
}

if (import.meta.main) writeFileSync(README, withJsonTables(readFileSync(README, "utf8")));
