import { expect, test } from "bun:test";
import { checkWebhooks } from "../../../src/cli/checks/content-checks.ts";

const NOW = Date.parse("2026-11-21T12:00:00Z");
const MINUTE = 60_000;

test("webhooks that are paused, or more than ten minutes behind, are reported", () => {
  const webhook = (id: string, minutes: number | null, pausedBy: "admin" | "receiver" | null = null) => ({
    id,
    pausedBy,
    pausedAt: pausedBy === null ? null : NOW - MINUTE,
    behindSince: minutes === null ? null : NOW - minutes * MINUTE,
  });
  const check = (...webhooks: ReturnType<typeof webhook>[]) =>
    checkWebhooks(
      { latestAt: NOW, endingKeys: [], exposedKeys: [], installation: undefined, webhooks, teams: [] },
      NOW,
    );
  expect(check()).toEqual([]);
  expect(check(webhook("whk_a", null), webhook("whk_b", 9))).toEqual([
    { check: "webhooks", level: "ok", text: "None is paused, and none is behind by ten minutes." },
  ]);
  expect(check(webhook("whk_a", 11), webhook("whk_b", 9), webhook("whk_c", 90, "receiver"))).toMatchObject([
    { level: "warning", text: expect.stringContaining("whk_a has received no event since 2026-11-21T11:49:00") },
    { level: "warning", text: expect.stringContaining("whk_c is paused since") },
  ]);
});
