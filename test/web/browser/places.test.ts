import { expect, test } from "bun:test";
import { currentPlace, topUrl } from "../../../src/web/browser/places.ts";
import type { Place } from "../../../src/web/browser/places.ts";
import { openTab } from "../../support/tabs.ts";

const PLACES: readonly (readonly [path: string, kind: Place["kind"], id: string])[] = [
  ["/", "home", ""],
  ["/s/sec_1", "secret", "sec_1"],
  ["/s/sec_1/", "secret", "sec_1"],
  ["/r/req_1", "request", "req_1"],
  ["/c/req_1", "collect", "req_1"],
  ["/sign-in", "sign-in", ""],
  ["/ask", "ask", ""],
  ["/sign-in/", "sign-in", ""],
  ["/login", "login", ""],
  ["/login/", "login", ""],
  ["/ask/", "ask", ""],
];

test("an address names a screen and its ID, wherever the site begins", () => {
  for (const top of ["https://handoff.example", "https://example.com/below/it"]) {
    using tab = openTab(top);
    for (const [path, kind, id] of PLACES) {
      tab.go(top + path);
      expect({ path, place: currentPlace(), top: topUrl() }).toEqual({ path, place: { kind, id }, top });
    }
  }
});
