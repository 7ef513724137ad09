import { topUrl } from "../browser/places.ts";
import { Complaint } from "../parts/complaint.tsx";
import { Form } from "../parts/form.tsx";
import { findPerson } from "../service/clients.ts";
import { LANDING } from "../texts/landing.ts";
import { PAGE } from "../texts/page.ts";
import { findCookieFault } from "./cookies.ts";
import { openFresh } from "./freshness.ts";
import { signInWith } from "./passkey-sign-ins.ts";

/**
 * What signing in by mail uses of the start page. It is loaded apart, and gets this as an argument: if it imported it,
 * the bundler would cut what everybody loads into more and larger files.
 */
export const MAIL_KIT = {
  Complaint,
  Form,
  findCookieFault,
  findPerson,
  goOn: openFresh,
  signInWith,
  topUrl,
  failed: PAGE.failed,
  signIn: LANDING.signIn,
};

export type MailKit = typeof MAIL_KIT;
