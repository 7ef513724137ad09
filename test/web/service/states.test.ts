import { expect, test } from "bun:test";
import { RequestMetadata } from "../../../src/contract/requests.ts";
import { Secret } from "../../../src/contract/secrets.ts";
import type { AskedRow } from "../../../src/web/service/asked.ts";
import { stateOfRequest, stateOfSecret } from "../../../src/web/service/states.ts";
import { exampleOf } from "../../support/clients.ts";

const NONE = { waiting: 0, opened: 0, expired: 0, revoked: 0, hasKey: true, note: "" };
const asked = (
  request: Partial<RequestMetadata>,
  counts: Partial<Omit<AskedRow, "request">> = {},
): ReturnType<typeof stateOfRequest> =>
  stateOfRequest({ ...NONE, ...counts, request: exampleOf(RequestMetadata, { max_submissions: 3, ...request }) });

test("a secret waits until it was opened as often as allowed, and each end has its own state", () => {
  const shown = (changes: Partial<Secret>) => {
    const { text, tone } = stateOfSecret(exampleOf(Secret, { max_claims: 3, claims: 0, ...changes }));
    return [text, tone];
  };
  expect(shown({ state: "available" })).toEqual(["Waiting", "wait"]);
  expect(shown({ state: "available", claims: 1 })).toEqual(["Opened 1 of 3", "wait"]);
  expect(shown({ state: "claimed", claims: 3 })).toEqual(["Opened", "good"]);
  expect(shown({ state: "expired" })).toEqual(["Never opened", undefined]);
  expect(shown({ state: "expired", claims: 1 })).toEqual(["Expired", undefined]);
  expect(shown({ state: "revoked", claims: 1 })).toEqual(["Revoked", undefined]);
});

test("submissions to collect come first in the state of a request", () => {
  for (const state of ["open", "paused", "fulfilled", "expired", "revoked"] as const) {
    expect(asked({ state, submission_count: 2 }, { waiting: 1, opened: 1 })).toMatchObject({
      text: "1 to collect",
      tone: "wait",
    });
  }
  expect(asked({ state: "open", submission_count: 1 }, { waiting: 1, hasKey: false })).toMatchObject({
    text: "1 waiting, but the key isn't in this browser",
    tone: "warn",
  });
});

test("a request shows how many were handed in while it accepts more, and then how they ended", () => {
  const text = (...of: Parameters<typeof asked>) => asked(...of).text;
  expect(text({ state: "open", submission_count: 0 })).toBe("Nothing yet");
  expect(text({ state: "paused", submission_count: 0 })).toBe("Paused");
  expect(text({ state: "open", submission_count: 1 }, { opened: 1 })).toBe("1 of 3 handed in");
  expect(text({ state: "expired", submission_count: 0 })).toBe("Expired");
  expect(text({ state: "revoked", submission_count: 0 })).toBe("Revoked");
  expect(text({ state: "fulfilled", submission_count: 3 }, { opened: 3 })).toBe("Collected");
  expect(text({ state: "fulfilled", submission_count: 3 }, { isUncounted: true })).toBe("3 of 3 handed in");
  expect(text({ state: "fulfilled", submission_count: 3 }, { opened: 1, expired: 1, revoked: 1 })).toBe(
    "1 opened, 1 expired, 1 revoked",
  );
  expect(text({ state: "expired", submission_count: 1 }, { expired: 1 })).toBe("1 expired");
});
