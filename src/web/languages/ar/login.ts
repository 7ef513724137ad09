import type { texts as english } from "../en/login.ts";
import type { Translation } from "../translations.ts";
import { ltr } from "./isolates.ts";

/** What the screens say on which a person lets a terminal in, in Arabic. */
export const texts: Translation<typeof english> = () => ({
  login: {
    title: "السماح لطرفية بالدخول",
    lede: "أدخل الرمز الذي يعرضه «handoff login» في الطرفية.",
    code: "الرمز",
    hint: "يتكوّن من 8 أحرف. لا فرق بين الأحرف الكبيرة والصغيرة، والشرطة غير مهمة.",
    goOn: "متابعة",
    checking: "جارٍ التحقق…",
    empty: "أدخل الرمز أولًا.",
    malformed: `يتكوّن الرمز من 8 أحرف، مثل ${ltr("BCDF-GHJK")}.`,
    wrong: "لا توجد طرفية تنتظر بهذا الرمز: فيه خطأ، أو سبق استخدامه، أو مضى عليه أكثر من 10 دقائق.",
    signIn: {
      title: "سجّل الدخول أولًا",
      text: "لا يستطيع السماح لطرفية بالدخول إلا من سجّل الدخول. سجّل الدخول في علامة تبويب أخرى، وستتابع هذه تلقائيًا.",
      kept: (code) => `تحتفظ علامة التبويب هذه بالرمز ${ltr(code)}.`,
      button: "تسجيل الدخول",
    },
    terminal: {
      title: "السماح لهذه الطرفية بالدخول؟",
      machine: "الجهاز",
      ownWord: "كما يسمّي نفسه",
      address: "يتصل من",
      unknown: "غير معروف",
      since: "البدء",
      actsAs: "ستعمل باسم",
      caution:
        "تابع فقط إذا شغّلت «handoff login» بنفسك على هذا الجهاز الآن. إذا أرسل إليك شخص آخر الرمز، فارفض: قد يتصرف باسمك.",
      allow: "سماح",
      allowing: "جارٍ السماح…",
      refuse: "رفض",
      refusing: "جارٍ الرفض…",
    },
    allowed: {
      title: "تم السماح",
      text: "عد إلى الطرفية. تبقى مسجّلة الدخول 12 ساعة على الأكثر، وفقط ما دامت جلستك هنا مفتوحة.",
    },
    refused: { title: "تم الرفض", text: "لم يُسمح للطرفية بالدخول." },
    gone: {
      title: "لم تعد هذه الطرفية تنتظر",
      text: "سبق السماح لها أو رفضها، أو مضى على الرمز أكثر من 10 دقائق. انظر إلى الطرفية. إذا لم تكن مسجّلة الدخول، فشغّل الأمر مرة أخرى.",
    },
    another: "رمز آخر",
  },
});
