import { expect, test } from "bun:test";
import { chmodSync, chownSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { configFolder, pendingFolders, stateFolder } from "../../../src/cli/files/paths.ts";
import { temporaryFolder } from "../../support/temporary.ts";

test("login and state are in the folders of XDG, and relative ones count as not set", () => {
  const env = { HOME: "/home/me" };
  const [config, state] = ["/home/me/.config/handoff", "/home/me/.local/state/handoff"];
  expect([configFolder({ env }), stateFolder({ env })]).toEqual([config, state]);
  const absolute = { ...env, XDG_CONFIG_HOME: "/c", XDG_STATE_HOME: "/s", XDG_RUNTIME_DIR: "/run/me" };
  expect([configFolder({ env: absolute }), stateFolder({ env: absolute })]).toEqual(["/c/handoff", "/s/handoff"]);
  expect(pendingFolders({ env: absolute })).toEqual(["/s/handoff", "/run/me/handoff"]);
  const relative = { ...env, XDG_CONFIG_HOME: "c", XDG_STATE_HOME: "./s", XDG_RUNTIME_DIR: "run" };
  expect([configFolder({ env: relative }), ...pendingFolders({ env: relative })]).toEqual([config, state]);
});

test("a folder that others can change, or own, is not used", () => {
  using folder = temporaryFolder();
  const env = { XDG_CONFIG_HOME: folder.path, XDG_STATE_HOME: folder.path, XDG_RUNTIME_DIR: folder.path };
  const path = join(folder.path, "handoff");
  const all = [configFolder, stateFolder, pendingFolders] as const;
  mkdirSync(path, { mode: 0o755 });
  for (const find of all) expect(() => find({ env })).not.toThrow();
  for (const mode of [0o775, 0o757, 0o1777]) {
    chmodSync(path, mode);
    for (const find of all) expect(() => find({ env })).toThrow(`Run: chmod go-w '${path}'`);
  }
  chmodSync(path, 0o700);
  if (process.getuid?.() !== 0) return;
  chownSync(path, 65_534, 65_534);
  for (const find of all) expect(() => find({ env })).toThrow(`'${path}' belongs to another user`);
});
