import type { texts as english } from "../en/document.ts";

/** What a document says without its script, in Arabic. */
export const texts: typeof english = {
  noScript: {
    title: "تحتاج هذه الصفحة إلى JavaScript",
    text: "فعّل JavaScript لفك التشفير في متصفحك، ثم أعد تحميل الصفحة. أو افتح الرابط في إصدار حديث من Chrome أو Edge أو Firefox أو Safari.",
  },
  late: {
    title: "لم تُحمَّل هذه الصفحة بعد",
    text: "جزء منها ما زال في الطريق أو لم يصل. أعد تحميل الصفحة. إن لم يفد ذلك، فقد يكون شيء ما يحجب JavaScript: افتح الرابط في متصفح آخر.",
  },
  nowhere: {
    title: "لا يوجد شيء في هذا العنوان",
    text: "قد يكون فيه خطأ في الكتابة أو نقص. انسخ الرابط كاملًا مرة أخرى.",
    start: "إلى صفحة البداية",
  },
  mailOff: { title: "هل تريد إيقاف هذه الرسائل؟", text: "تخبرك بما يحدث لما ترسله وتطلبه.", button: "إيقاف" },
  mailIsOff: { title: "هذه الرسائل متوقفة", text: "يمكنك تفعيلها مجددًا في حسابك." },
  mailOffStale: {
    title: "هذا الرابط لا يوقف شيئًا",
    text: "إنه ناقص، أو فُعّلت هذه الرسائل من جديد. استخدم الرابط في أحدث رسالة، أو اختر في حسابك.",
  },
};
