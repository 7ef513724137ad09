import { ACCOUNT } from "../texts/account.ts";
import { LAPTOP, PHONE } from "./shapes.ts";

const { account: words } = ACCOUNT;
/** The systems of telephones, by the names that the server gives them. */
const PHONES: readonly (string | null)[] = ["iPhone", "Android"];

/** A browser as the server describes it. */
interface NamedBrowser {
  readonly browser: string | null;
  readonly system: string | null;
}

/** Names a browser and its system, as far as they are known. */
export function nameBrowser({ browser, system }: NamedBrowser): string {
  const name = browser ?? words.unknownBrowser;
  return system === null ? name : words.browserOn(name, system);
}

/** The shape of its kind of device. */
export function shapeOfBrowser({ system }: NamedBrowser): string {
  return PHONES.includes(system) ? PHONE : LAPTOP;
}
