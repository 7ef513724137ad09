import { describe } from "bun:test";
import type { StoreUnderTest } from "../support/stores.ts";
import { describeAdminLog } from "./promises/admin-log.ts";
import { describeAdministration } from "./promises/administration.ts";
import { describeEvents } from "./promises/events.ts";
import { describeRequests } from "./promises/requests.ts";
import { describeSecrets } from "./promises/secrets.ts";

/**
 * What every store promises behind `domain/ports.ts`, whatever it keeps its rows in. `open` opens an empty store that
 * keeps tombstones for `TOMBSTONE_MS`. What only one engine can do, or what has to look into its files, is tested beside
 * it.
 */
export function describeStore(name: string, open: () => StoreUnderTest): void {
  describe(`secrets in ${name}`, () => describeSecrets(open));
  describe(`requests in ${name}`, () => describeRequests(open));
  describe(`events and time in ${name}`, () => describeEvents(open));
  describe(`what admins change in ${name}`, () => describeAdminLog(open));
  describe(`teams, keys and people in ${name}`, () => describeAdministration(open));
}
