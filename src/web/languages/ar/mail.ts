import type { texts as english } from "../en/mail.ts";
import type { Translation } from "../translations.ts";
import { ltr } from "./isolates.ts";

/** What the start page says where people sign in with a code by mail, in Arabic. */
export const texts: Translation<typeof english> = () => ({
  mail: {
    address: "عنوان بريدك الإلكتروني",
    send: "أرسل لي رمزًا",
    sending: "جارٍ الإرسال…",
    noAccount: "يصلك رمز بالبريد الإلكتروني. ليس لديك حساب؟ اسأل المسؤول.",
    empty: "أدخل عنوانك أولًا.",
    malformed: `يشبه العنوان ${ltr("ann@example.com")}.`,
    sent: (address) => `إذا كان ${ltr(address)} معروفًا هنا، فالرمز في طريقه إليك.`,
    hint: "يتكوّن من 8 أرقام، ويعمل لمدة 10 دقائق في هذا المتصفح. لم تصلك رسالة؟ ابحث في مجلد البريد المزعج.",
    code: "الرمز من الرسالة",
    emptyCode: "أدخل الرمز أولًا.",
    malformedCode: "يتكوّن الرمز من 8 أرقام.",
    wrong: "هذا الرمز لا يعمل. استخدم الرمز الوارد في أحدث رسالة. بعد 5 رموز خاطئة تحتاج إلى رمز آخر.",
    over: "انتهت صلاحيته، أو سبق استخدامه، أو أُدخلت 5 رموز خاطئة. أرسل رمزًا آخر.",
    another: "إرسال رمز آخر",
    resent: (address) => `إذا كان ${ltr(address)} معروفًا هنا، فهناك رمز آخر في طريقه إليك. الرمز الجديد وحده يعمل.`,
    otherAddress: "عنوان آخر",
    limited: "طُلبت رموز كثيرة جدًا. حاول مرة أخرى بعد ربع ساعة.",
  },
});
