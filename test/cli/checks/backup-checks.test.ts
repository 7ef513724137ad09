import { expect, test } from "bun:test";
import { checkBackups } from "../../../src/cli/checks/backup-checks.ts";

const NOW = Date.parse("2026-11-21T12:00:00Z");
const HOUR = 3_600_000;
const UNITS = { failure: undefined, isTimed: true, hasFolder: true };

test("backups are fine while the last one is at most two days old, and before the first night", () => {
  expect(checkBackups(NOW - 48 * HOUR, UNITS, NOW)).toEqual([
    { check: "backups", level: "ok", text: "The last backup is of 2026-11-19T12:00:00.000Z." },
  ]);
  expect(checkBackups(NOW - HOUR, undefined, NOW)).toMatchObject([{ level: "ok" }]);
  const elsewhere = { ...UNITS, isTimed: false, hasFolder: false };
  expect(checkBackups(NOW - HOUR, elsewhere, NOW)).toMatchObject([{ level: "ok" }]);
  expect(checkBackups(null, UNITS, NOW)).toMatchObject([{ level: "ok" }]);
});

test("a backup that failed, is too old or isn't made at all is reported once, with what to do", () => {
  const failure = { ...UNITS, failure: "exit-code" };
  for (const [lastAt, units, level, texts] of [
    [
      NOW - HOUR,
      failure,
      "failed",
      ["handoff-backup.service failed (exit-code). The last", "journalctl -u handoff-back"],
    ],
    [null, failure, "failed", ["No backup has been made."]],
    [NOW - 49 * HOUR, UNITS, "warning", ["more than 2 days ago", "systemctl list-timers handoff-backup"]],
    [NOW - 49 * HOUR, undefined, "warning", ["more than 2 days ago", "handoff admin backup FILE"]],
    [NOW - HOUR, { ...UNITS, isTimed: false }, "warning", ["sudo systemctl enable --now handoff-backup.timer"]],
    [
      null,
      { ...UNITS, isTimed: false, hasFolder: false },
      "warning",
      ["No backup has been made. handoff-backup.timer"],
    ],
    [null, { ...UNITS, isTimed: undefined }, "warning", ["No backup has been made.", "handoff help install"]],
    [null, undefined, "warning", ["'handoff admin service --backup'"]],
  ] as const) {
    const findings = checkBackups(lastAt, units, NOW);
    expect(findings.map((each) => [each.check, each.level])).toEqual([["backups", level]]);
    for (const text of texts) expect(findings[0]?.text).toContain(text);
  }
});
