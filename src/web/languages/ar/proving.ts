import type { texts as english } from "../en/proving.ts";
import type { Translation } from "../translations.ts";
import { ltr } from "./isolates.ts";

/** What the screens of a link that is for chosen people say, in Arabic. */
export const texts: Translation<typeof english> = () => ({
  proof: {
    forAddress: (address) => `هذا مخصص لصاحب العنوان ${ltr(address)}.`,
    forDomain: (domain) => `هذا مخصص لكل من له عنوان في ${ltr(domain)}.`,
    forSeveral: "هذا مخصص لهذه العناوين:",
    everyoneAt: (domain) => `كل العناوين في ${ltr(domain)}`,
    hint: "أدخل عنوانك كاملًا. يصلك رمز بالبريد الإلكتروني، ولا تحتاج إلى حساب.",
    hintOne: (start, end) =>
      `أدخل العنوان كاملًا: يبدأ بـ ${ltr(start)} وينتهي بـ ${ltr(end)}. يصلك رمز بالبريد الإلكتروني، ولا تحتاج إلى حساب.`,
    sent: (address) => `إذا كان ${ltr(address)} من العناوين المختارة، فرسالة فيها رمز في طريقها إليك.`,
    resent: (address) =>
      `إذا كان ${ltr(address)} من العناوين المختارة، فرسالة فيها رمز آخر في طريقها إليك. الرمز الجديد وحده يعمل.`,
    continue: "متابعة",
    openAs: (address) => `فتح باسم ${ltr(address)}`,
    continueAs: (address) => `متابعة باسم ${ltr(address)}`,
    notFor: (address) =>
      `سجّلت الدخول باسم ${ltr(address)}، وهذا ليس مخصصًا لذلك العنوان. استخدم عنوانًا آخر، أو اسأل من أرسل إليك الرابط.`,
    ended: "مضى أكثر من 10 دقائق منذ أن أثبتّ عنوانك. اطلب رمزًا آخر للمتابعة.",
    worth: "يتحقق الخادم من عنوانك. ومع ذلك، أبقِ الرابط سرًا.",
    thenApproval: "بعد ذلك، تلزم موافقة شخص آخر قبل أن تفتح السر.",
    noMail: "لا يرسل هذا الخادم رسائل بريد. سجّل الدخول إليه، ثم افتح هذا الرابط مرة أخرى.",
    signIn: "تسجيل الدخول",
  },
});
