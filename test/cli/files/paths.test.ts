import { expect, test } from "bun:test";
import { configFolder, pendingFolders, stateFolder } from "../../../src/cli/files/paths.ts";

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
