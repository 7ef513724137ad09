import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describeLicenses, readComponents } from "../../src/cli/server/components/components.ts";
import type { Component } from "../../src/cli/server/components/components.ts";
import type { Source } from "./source.ts";

/** Writes the licenses, and the components as CycloneDX 1.6 in JSON: of what is inside the executables, alone. */
export function writeSbom({ source, directory }: { readonly source: Source; readonly directory: string }): void {
  const name = `handoff-${source.version}`;
  writeFileSync(join(directory, `${name}-licenses.txt`), describeLicenses());
  writeFileSync(join(directory, `${name}.cdx.json`), `${JSON.stringify(sbomOf(source), undefined, 2)}\n`);
}

/** The components of this version. It has no serial number, because a release made again has the same bytes. */
export function sbomOf({ version, commit, epoch }: Source): object {
  const components = readComponents();
  const self = `handoff@${version}`;
  return {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      timestamp: new Date(epoch * 1000).toISOString(),
      component: {
        "bom-ref": self,
        type: "application",
        name: "handoff",
        version,
        properties: [{ name: "handoff:commit", value: commit }],
      },
    },
    components: components.map(toEntry),
    dependencies: [{ ref: self, dependsOn: components.map(refOf) }],
  };
}

function toEntry(component: Component): object {
  const { name, version, license, purl } = component;
  const [, group, rest = name] = /^(@[^/]+)\/(.+)$/.exec(name) ?? [];
  return {
    "bom-ref": refOf(component),
    type: name === "bun" ? "platform" : "library",
    ...(group === undefined ? {} : { group }),
    name: rest,
    version,
    licenses: [license.includes(" ") ? { expression: license } : { license: { id: license } }],
    ...(purl === undefined ? {} : { purl }),
  };
}

function refOf({ name, version, purl }: Component): string {
  return purl ?? `${name}@${version}`;
}
