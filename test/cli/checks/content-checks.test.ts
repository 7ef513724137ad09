import { expect, test } from "bun:test";
import { checkSeals, checkWebhooks } from "../../../src/cli/checks/content-checks.ts";

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

test("lines that have had no seal for ten minutes are reported with their teams, younger ones aren't", () => {
  const teams = ["a", "b", "c", "d"].map((name) => ({ id: `tea_${name}`, name }));
  const check = (minutes: Readonly<Record<string, number>>, endsAt?: number) => {
    const unsealed = Object.entries(minutes).map(([name, ago]) => ({
      teamId: `tea_${name}`,
      since: NOW - ago * MINUTE,
    }));
    const last =
      endsAt === undefined ? undefined : { id: 1, lastPlace: 1, endsAt, parts: "", hash: new Uint8Array(32) };
    const state = { last, startsAt: 0, gaps: [], isKnown: false, unsealed };
    return checkSeals(state, teams, NOW).map(({ level, text }) => `${level}: ${text}`);
  };
  expect(check({ a: 9 })).toEqual(["ok: No line is sealed yet. A server seals them while it runs."]);
  expect(check({ a: 11, b: 9 })).toEqual([
    "warning: Lines of the team 'a' have no seal, the oldest from 2026-11-21T11:49:00.000Z. A server seals each within two minutes: either none runs, or sealing fails. Start it, or look for 'sweep failed' in its log.",
  ]);
  const names = "the teams 'a', 'b', 'c', and 1 more have no seal, the oldest from 2026-11-21T11:30:00.000Z";
  expect(check({ a: 20, b: 11, c: 30, d: 12 }, NOW - 40 * MINUTE)).toEqual([
    "ok: Every line up to 2026-11-21T11:20:00.000Z is as it was sealed.",
    expect.stringContaining(names),
  ]);
});
