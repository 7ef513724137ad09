import { expect, test } from "bun:test";
import {
  formatByteLimit,
  formatBytes,
  formatClock,
  formatCountdown,
  formatRemaining,
  nameDay,
} from "../../../src/web/parts/moments.ts";

const NOW = Date.parse("2026-11-22T14:58:00Z");
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Replaces non-breaking spaces. */
const plain = (text: string) => text.replace(/[\u00A0\u202F]/g, " ");
const day = (inMs: number, locale = "en") => nameDay(new Date(NOW + inMs).toISOString(), NOW, locale).name;

test("a day is named by the calendar, and its year only when it is another one", () => {
  expect([day(0), day(-DAY), day(DAY), day(2 * DAY)]).toEqual(["today", "yesterday", "tomorrow", "Tue, Nov 24"]);
  expect([day(60 * DAY), day(-400 * DAY)]).toEqual(["Thu, Jan 21, 2027", "Sat, Oct 18, 2025"]);
  // Fifteen hours ago was yesterday.
  expect(day(-15 * HOUR)).toBe("yesterday");
  expect(nameDay(new Date(NOW).toISOString(), NOW, "de").isNear).toBe(true);
  expect(nameDay(new Date(NOW + 2 * DAY).toISOString(), NOW, "de").isNear).toBe(false);
});

test("a remaining time is rounded to the nearest unit, and never up to a full larger one", () => {
  const left = (ms: number) => formatRemaining(ms, "en");
  expect([left(1), left(59_400), left(59_500)]).toEqual(["1 second", "59 seconds", "1 minute"]);
  expect([left(59.6 * MINUTE), left(23.6 * HOUR), left(7 * DAY - 1)]).toEqual(["1 hour", "1 day", "7 days"]);
});

test("every language has its own days and hours", () => {
  const locales = ["en-US", "en-GB", "de", "fr", "es", "pt-BR", "ja", "it", "nl", "pl"];
  const written = locales.map((locale) => [
    locale,
    [day(6 * DAY, locale), day(DAY, locale), plain(formatClock("2026-11-22T09:05:00Z", locale))],
  ]);
  expect(Object.fromEntries(written)).toEqual({
    "en-US": ["Sat, Nov 28", "tomorrow", "9:05 AM"],
    "en-GB": ["Sat 28 Nov", "tomorrow", "09:05"],
    de: ["Sa., 28. Nov.", "morgen", "09:05"],
    fr: ["sam. 28 nov.", "demain", "09:05"],
    es: ["sáb, 28 nov", "mañana", "9:05"],
    "pt-BR": ["sáb., 28 de nov.", "amanhã", "09:05"],
    ja: ["11月28日(土)", "明日", "9:05"],
    it: ["sab 28 nov", "domani", "09:05"],
    nl: ["za 28 nov", "morgen", "09:05"],
    pl: ["sob., 28 lis", "jutro", "09:05"],
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
