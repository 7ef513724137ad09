import { expect } from "bun:test";
import { join } from "node:path";
import Ajv from "ajv";
import type { TestServer } from "./server.ts";

export const BIN = join(import.meta.dir, "../../node_modules/.bin");

// oxlint-disable-next-line typescript/no-explicit-any -- a document is walked by the names that OpenAPI gives
export type Document = any;

/** The document that `server` serves. */
export async function servedSpec(server: TestServer): Promise<Document> {
  const answer = await server.call("GET", "/openapi.json");
  expect(answer.headers.get("content-type")).toStartWith("application/json");
  return answer.json;
}

/** Every operation of the document. */
export function operationsOf(spec: Document): { method: string; path: string; operation: Document }[] {
  return Object.entries<Document>(spec.paths).flatMap(([path, item]) =>
    Object.entries<Document>(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

/** Runs a tool in `cwd`. Resolves when it has ended. */
export async function runTool(command: readonly string[], cwd: string, environment: Record<string, string> = {}) {
  const child = Bun.spawn([...command], {
    cwd,
    env: {
      PATH: process.env["PATH"] ?? "",
      REDOCLY_TELEMETRY: "off",
      REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
      ...environment,
    },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr, exitCode] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { exitCode, stdout, output: stdout + stderr };
}

/**
 * A judge of the schemas of `spec`: `nullable` as OpenAPI 3.0.3 means it (beside a `type`, which then takes null too),
 * references resolved, formats left alone.
 */
export function createJudge(spec: Document) {
  const schemas = JSON.parse(JSON.stringify(spec.components.schemas), (_, value: Document) => {
    if (value === null || typeof value !== "object" || value.nullable !== true) return value;
    const { nullable: _nullable, type, ...rest } = value;
    return type === undefined ? rest : { type: [type, "null"], ...rest };
  });
  const ajv = new Ajv({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: "spec", components: { schemas } });
  return (schema: Document, value: unknown) => {
    const text = JSON.stringify(schema).replaceAll("#/components", "spec#/components");
    return ajv.validate(JSON.parse(text), value) ? [] : (ajv.errors ?? []);
  };
}

/** The names of the schemas that `from` leads to, with those that they lead to. */
export function schemasIn(spec: Document, from: Document): Set<string> {
  const names = new Set<string>();
  const follow = (value: Document): void => {
    if (value === null || typeof value !== "object") return;
    const name = typeof value.$ref === "string" ? /^#\/components\/schemas\/(.+)$/.exec(value.$ref)?.[1] : undefined;
    if (name !== undefined && !names.has(name)) {
      names.add(name);
      follow(spec.components.schemas[name]);
    }
    for (const child of Object.values(value)) follow(child);
  };
  follow(from);
  return names;
}
