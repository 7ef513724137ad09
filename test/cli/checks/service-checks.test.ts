import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkSettingsFile, checkUnits } from "../../../src/cli/checks/service-checks.ts";
import { backupUnit, serverUnit } from "../../../src/cli/server/systemd/units.ts";
import type { UnitOptions } from "../../../src/cli/server/systemd/units.ts";
import { temporaryFolder } from "../../support/temporary.ts";

const OPTIONS: readonly (readonly [UnitOptions, flags: string])[] = [
  [{}, ""],
  [{ listen: ":443" }, " --listen :443"],
  [{ listen: "[::1]:80" }, " --listen [::1]:80"],
  [{ acme: "handoff.example" }, " --acme handoff.example"],
  [{ databaseUrlFile: "/etc/handoff/url" }, " --database-url-file /etc/handoff/url"],
  [
    { listen: "handoff.example:443", databaseUrlFile: "/etc/url" },
    " --listen handoff.example:443 --database-url-file /etc/url",
  ],
  [{ isPackaged: true }, ""],
  [{ isPackaged: true, listen: ":443", databaseUrlFile: "/etc/url" }, " --listen :443 --database-url-file /etc/url"],
];

test("the units of a package name its executable and its settings file, which no variable overrides", () => {
  const unit = serverUnit({ isPackaged: true });
  expect(unit).toMatch(/^ExecStart=\/usr\/bin\/handoff serve$/m);
  expect(unit.match(/^Environment=.*$/gm)).toEqual(["Environment=HANDOFF_CONFIG=/etc/handoff/handoff.toml"]);
  expect(serverUnit({ isPackaged: true, listen: ":8443" })).toContain("\nEnvironment=HANDOFF_LISTEN=:8443\n");
  expect(backupUnit({ isPackaged: true })).toMatch(/^ExecStart=\/usr\/bin\/handoff admin backup /m);
  expect(unit + backupUnit({ isPackaged: true })).not.toContain("/usr/local/");
});

test("a settings file of a package that an installation by hand doesn't name is reported", () => {
  using folder = temporaryFolder();
  const path = join(folder.path, "handoff.toml");
  const unnamed = { flags: {}, env: {} };
  expect(checkSettingsFile(unnamed, path)).toEqual([]);
  writeFileSync(path, "max-claims = 7\n");
  expect(checkSettingsFile(unnamed, path)).toEqual([
    { check: "settings file", level: "warning", text: expect.stringContaining(`add HANDOFF_CONFIG=${path} to`) },
  ]);
  expect(checkSettingsFile({ flags: {}, env: { HANDOFF_CONFIG: path } }, path)).toEqual([]);
  expect(checkSettingsFile({ flags: { config: path }, env: {} }, path)).toEqual([]);
});

test.each(OPTIONS)("units printed with %p match this version, until a line is removed", (options, flags) => {
  using folder = temporaryFolder();
  expect(checkUnits(folder.path)).toEqual([]);
  const { databaseUrlFile, isPackaged } = options;
  const [server, backup] = [join(folder.path, "handoff.service"), join(folder.path, "handoff-backup.service")];
  writeFileSync(server, serverUnit(options));
  writeFileSync(backup, backupUnit({ databaseUrlFile, isPackaged }));
  expect(checkUnits(folder.path)).toEqual([
    { check: "unit", level: "ok", text: `'${server}' is as this version prints it.` },
    { check: "backup unit", level: "ok", text: `'${backup}' is as this version prints it.` },
  ]);

  takeOut(server, /^SystemCallFilter=@chown\n/m);
  takeOut(backup, / CAP_FOWNER|^UMask=.*\n/gm);
  // Admins choose that.
  takeOut(backup, / --keep 14/);
  const [unit, ofBackup] = checkUnits(folder.path);
  expect(unit).toMatchObject({ check: "unit", level: "warning" });
  expect(unit?.text).toContain("lacks 1 line of the unit that this version prints, such as SystemCallFilter=@chown.");
  expect(unit?.text).toEndWith(`Compare: handoff admin service${flags} | diff ${server} -`);
  expect(ofBackup).toMatchObject({ check: "backup unit", level: "warning" });
  expect(ofBackup?.text).toContain(`lacks ${databaseUrlFile === undefined ? "2 lines" : "1 line"} of`);
  const ofPostgres = databaseUrlFile === undefined ? "" : ` --database-url-file ${databaseUrlFile}`;
  expect(ofBackup?.text).toEndWith(`Compare: handoff admin service --backup${ofPostgres} | diff ${backup} -`);
});

function takeOut(path: string, pattern: RegExp): void {
  const text = readFileSync(path, "utf8");
  expect(text).toMatch(pattern);
  writeFileSync(path, text.replace(pattern, ""));
}
