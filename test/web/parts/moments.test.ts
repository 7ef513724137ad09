import { expect, test } from "bun:test";
import {
  formatByteLimit,
  formatBytes,
  formatClock,
  formatCountdown,
  formatMoment,
} from "../../../src/web/parts/moments.ts";

const NOW = Date.parse("2026-11-22T14:58:00Z");
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Replaces non-breaking spaces. */
const plain = (text: string) => text.replace(/[\u00A0\u202F]/g, " ");
const moment = (inMs: number, locale = "en", now = NOW) =>
  plain(formatMoment(new Date(now + inMs).toISOString(), now, { locale, justNow: "just now" }));

test("a time is relative and absolute, with the day when it is another one", () => {
  expect(moment(6 * DAY)).toBe("in 6 days (Sat, Nov 28, 2:58 PM)");
  expect(moment(5 * MINUTE)).toBe("in 5 minutes (3:03 PM)");
  expect(moment(-5 * MINUTE)).toBe("5 minutes ago (2:53 PM)");
  expect(moment(-3 * HOUR)).toBe("3 hours ago (11:58 AM)");
  expect(moment(20 * HOUR)).toBe("in 20 hours (Mon, Nov 23, 10:58 AM)");
  expect(moment(60 * DAY)).toBe("in 60 days (Thu, Jan 21, 2027, 2:58 PM)");
  expect(moment(-5 * MINUTE, "en", Date.parse("2026-11-22T00:02:00Z"))).toBe("5 minutes ago (Sat, Nov 21, 11:57 PM)");
});

test("a time is rounded to the nearest unit, and never up to a full larger one", () => {
  for (const inMs of [0, -1, -MINUTE + 1]) expect(moment(inMs)).toBe("just now");
  expect(moment(1)).toBe("in 1 second (2:58 PM)");
  expect(moment(59_400)).toBe("in 59 seconds (2:58 PM)");
  expect(moment(59_500)).toBe("in 1 minute (2:58 PM)");
  expect(moment(-MINUTE)).toBe("1 minute ago (2:57 PM)");
  expect(moment(7 * DAY - 1)).toStartWith("in 7 days (");
  expect(moment(59.6 * MINUTE)).toBe("in 1 hour (3:57 PM)");
  expect(moment(23.6 * HOUR)).toStartWith("in 1 day (");
  expect(moment(-(23.6 * HOUR))).toStartWith("1 day ago (");
});

test("every language has its own order, names and hours", () => {
  const six = Object.fromEntries(
    ["en-US", "en-GB", "de", "fr", "es", "pt-BR", "ja"].map((locale) => [
      locale,
      [
        moment(6 * DAY - 6 * HOUR, locale),
        moment(-5 * MINUTE, locale),
        plain(formatClock("2026-11-22T09:05:00Z", locale)),
      ],
    ]),
  );
  expect(six).toEqual({
    "en-US": ["in 6 days (Sat, Nov 28, 8:58 AM)", "5 minutes ago (2:53 PM)", "9:05 AM"],
    "en-GB": ["in 6 days (Sat 28 Nov, 08:58)", "5 minutes ago (14:53)", "09:05"],
    de: ["in 6 Tagen (Sa., 28. Nov., 08:58)", "vor 5 Minuten (14:53)", "09:05"],
    fr: ["dans 6 jours (sam. 28 nov., 08:58)", "il y a 5 minutes (14:53)", "09:05"],
    es: ["dentro de 6 días (sáb, 28 nov, 8:58)", "hace 5 minutos (14:53)", "9:05"],
    "pt-BR": ["em 6 dias (sáb., 28 de nov., 08:58)", "há 5 minutos (14:53)", "09:05"],
    ja: ["6 日後（11月28日(土) 8:58）", "5 分前（14:53）", "9:05"],
  });
});

test("a countdown stops at zero", () => {
  const cases = {
    "278000": "4:38",
    "277001": "4:38",
    "59000": "0:59",
    "0": "0:00",
    "-5000": "0:00",
    "3878000": "1:04:38",
  };
  for (const [leftMs, said] of Object.entries(cases)) expect(formatCountdown(Number(leftMs))).toBe(said);
});

test("sizes are decimal, in the reader's format", () => {
  const size = (bytes: number, locale = "en") => plain(formatBytes(bytes, locale));
  const sizes = [0, 1, 999, 1000, 99_400, 999_499, 999_500, 2_950_000, 3_000_000, 999_960_000, 1_500_000_000];
  expect(sizes.map((bytes) => size(bytes))).toEqual([
    "0 bytes",
    "1 byte",
    "999 bytes",
    "1 KB",
    "99 KB",
    "999 KB",
    "1.0 MB",
    "3.0 MB",
    "3.0 MB",
    "1.0 GB",
    "1.5 GB",
  ]);
  expect(["de", "fr", "es", "pt-BR", "ja"].map((locale) => size(3_000_000, locale))).toEqual([
    "3,0 MB",
    "3,0 Mo",
    "3,0 MB",
    "3,0 MB",
    "3.0 MB",
  ]);
  expect(["de", "fr", "es", "pt-BR", "ja"].map((locale) => size(99_000, locale))).toEqual([
    "99 KB",
    "99 ko",
    "99 KB",
    "99 KB",
    "99 KB",
  ]);
  expect(plain(formatByteLimit(7_864_000, "en"))).toBe("7.8 MB");
  expect(plain(formatByteLimit(999_999, "en"))).toBe("999 KB");
});
