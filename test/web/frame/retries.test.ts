import { afterEach, beforeEach, expect, jest, test } from "bun:test";
import { ClientError } from "../../../src/client/errors.ts";
import { announceRetry, useRetryNotice } from "../../../src/web/frame/retries.ts";
import { PAGE } from "../../../src/web/texts/page.ts";
import { untilQuiet, useHere } from "../hooks.ts";

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

test("a retry is announced while it waits, and a short pause is not", async () => {
  using notice = useHere(useRetryNotice);
  await untilQuiet();
  expect(notice.current()).toBe("");
  announceRetry(new ClientError("connection_lost", "network", ""), 999);
  await untilQuiet();
  expect(notice.current()).toBe("");
  announceRetry(new ClientError("connection_lost", "network", ""), 1500);
  await untilQuiet();
  expect(notice.current()).toBe(PAGE.retrying.again(PAGE.failed.network.bare, 2));
  jest.advanceTimersByTime(1500);
  await untilQuiet();
  expect(notice.current()).toBe("");
  announceRetry(new ClientError("rate_limited", "failure", ""), 30_000);
  await untilQuiet();
  expect(notice.current()).toBe(PAGE.retrying.again(PAGE.retrying.limited, 30));
  // The end of an earlier pause does not clear a later one.
  jest.advanceTimersByTime(20_000);
  announceRetry(new ClientError("storage_unavailable", "network", ""), 20_000);
  jest.advanceTimersByTime(10_000);
  await untilQuiet();
  expect(notice.current()).toBe(PAGE.retrying.again(PAGE.failed.busy.bare, 20));
});
