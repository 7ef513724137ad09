import type { texts as english } from "../en/menu.ts";
import type { Translation } from "../translations.ts";
import { apart } from "./isolates.ts";

/** What the bar of a signed-in person says, in Arabic. */
export const texts: Translation<typeof english> = () => ({
  menu: {
    tabs: "القائمة الرئيسية",
    send: "إرسال",
    ask: "طلب",
    activity: "النشاط",
    forYou: "تحتاج إليك",
    accountOf: (name) => `حساب ${apart(name)}`,
    account: "حسابك",
    audit: "سجل التدقيق",
    signOut: "تسجيل الخروج",
  },
});
