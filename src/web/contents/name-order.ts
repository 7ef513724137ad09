import { LOCALE } from "../texts/page.ts";

/** Compares two names as people sort them: `a2` before `a10`, and capitals beside their small letters. */
export const compareNames = new Intl.Collator(LOCALE, { numeric: true }).compare;
