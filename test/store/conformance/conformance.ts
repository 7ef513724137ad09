import { describe } from "bun:test";
import type { OpenStore } from "../../support/stores.ts";
import { describeAdminLog } from "./admin-log.ts";
import { describeAdministration } from "./administration.ts";
import { describeEvents } from "./events.ts";
import { describeMails } from "./mails.ts";
import { describeNotices } from "./notices.ts";
import { describeRequestModel } from "./request-model.ts";
import { describeRequests } from "./requests.ts";
import { describeSeals } from "./seals.ts";
import { describeSecretModel } from "./secret-model.ts";
import { describeSecrets } from "./secrets.ts";
import { describeSingleSignOn } from "./single-sign-on.ts";
import { describeWebhooks } from "./webhooks.ts";

/**
 * The promises of every store behind `domain/ports/`, whatever its engine. What only one engine can do, or what needs a
 * look into its files, is tested beside it.
 */
export function describeStore(name: string, open: OpenStore): void {
  describe(`secrets in ${name}`, () => describeSecrets(open));
  describe(`requests in ${name}`, () => describeRequests(open));
  describe(`events and time in ${name}`, () => describeEvents(open));
  describe(`the seals of the log in ${name}`, () => describeSeals(open));
  describe(`changes by admins in ${name}`, () => describeAdminLog(open));
  describe(`teams, keys and people in ${name}`, () => describeAdministration(open));
  describe(`single sign-on in ${name}`, () => describeSingleSignOn(open));
  describe(`mails in ${name}`, () => describeMails(open));
  describe(`notices in ${name}`, () => describeNotices(open));
  describe(`webhooks in ${name}`, () => describeWebhooks(open));
}

/** Tests of the rules over such a store, against models. They are apart, because they take long. */
export function describeRules(name: string, open: OpenStore): void {
  describe(`the rules over ${name}`, () => {
    describeSecretModel(open);
    describeRequestModel(open);
  });
}
