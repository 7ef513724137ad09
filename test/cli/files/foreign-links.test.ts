import { afterEach, beforeEach, expect, test } from "bun:test";
import { lchownSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { checkFolder } from "../../../src/cli/files/destinations.ts";
import { findForeignLink } from "../../../src/cli/files/foreign-links.ts";
import { temporaryFolder } from "../../support/temporary.ts";

const NEIGHBOR = 65_534;

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => void (folder = temporaryFolder()));
afterEach(() => folder[Symbol.dispose]());
const at = (...names: readonly string[]) => join(folder.path, ...names);

function link(target: string, name: string, owner?: number): void {
  symlinkSync(target, at(name));
  if (owner !== undefined) lchownSync(at(name), owner, owner);
}

test("one's own links may be on the way, wherever they lead, even in a circle", () => {
  mkdirSync(at("real/deeper"), { recursive: true });
  link(at("real"), "absolute");
  link("real/../real", "relative");
  link("circle", "circle");
  for (const name of ["absolute", "absolute/deeper", "relative/deeper/new", "circle/new", "absent/new", "real"]) {
    expect(findForeignLink(at(name))).toBeUndefined();
  }
  expect(() => checkFolder(at("relative/deeper"))).not.toThrow();
});

test.if(process.getuid?.() === 0)("a link of another user is found, also behind one of one's own", () => {
  mkdirSync(at("real/deeper"), { recursive: true });
  link(at("real"), "planted", NEIGHBOR);
  link("nowhere", "dangling", NEIGHBOR);
  link("planted/deeper", "mine");
  link("real/deeper/../../planted", "around");
  for (const name of ["planted", "planted/", "planted/new", "mine", "mine/new", "around/deeper"]) {
    expect(findForeignLink(at(name))).toBe(at("planted"));
  }
  expect(findForeignLink(at("dangling/new"))).toBe(at("dangling"));
  expect(() => checkFolder(at("planted/new"))).toThrow(
    `'${at("planted")}' is a link that another user made, and nothing is written through it.`,
  );
});
