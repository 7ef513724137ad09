import type { texts as english } from "../en/account.ts";
import type { Translation } from "../translations.ts";
import { apart } from "./isolates.ts";

/** What a person's account says, in Arabic. */
export const texts: Translation<typeof english> = ({ number }) => ({
  account: {
    browserOn: (browser, system) => `${apart(browser)} على ${apart(system)}`,
    unknownBrowser: "متصفح غير معروف",
    actionOn: (action, name) => `${action}: ${apart(name)}`,
    passkeys: {
      title: "مفاتيح المرور",
      what: "بمفتاح المرور تسجّل دخولك ببصمة الإصبع أو الوجه أو رمز PIN، من دون رابط.",
      none: "ليس لديك مفتاح مرور بعد.",
      unsupported: "لا يستطيع هذا المتصفح استخدام مفاتيح المرور.",
      most: (count) => `أقصى عدد لمفاتيح المرور هو ${number(count)}. أزل أحدها قبل إضافة غيره.`,
      added: (when) => `أُضيف ${when}`,
      used: (when) => `آخر استخدام: ${when}`,
      unused: "لم يُستخدم بعد",
      add: "إضافة مفتاح مرور",
      adding: "جارٍ الإضافة…",
      isAdded: "أُضيف مفتاح المرور.",
      remove: "إزالة",
      removing: "جارٍ الإزالة…",
      isRemoved: "أُزيل مفتاح المرور.",
      sure: {
        title: "إزالة مفتاح المرور هذا؟",
        text: "لن يمكنك تسجيل الدخول به بعد ذلك. قد يبقى على جهازك إلى أن تحذفه هناك.",
        confirm: "إزالة",
      },
      known: "لديك مفتاح مرور هناك من قبل.",
      refused: "لم يقبل الخادم مفتاح المرور. حاول مرة أخرى.",
      unusable: "لا يستطيع هذا المتصفح إضافة مفتاح مرور هنا. جرّب متصفحًا آخر.",
      offer: "أضف مفتاح مرور كي لا تحتاج إلى رابط في المرة القادمة.",
      later: "ليس الآن",
    },
    notices: {
      title: "رسائل البريد",
      what: (address) => `تُرسل هذه الرسائل إلى ${address}.`,
      opened: "عندما يُفتح شيء أرسلته",
      ending: "قبل يوم من انتهاء صلاحية شيء لم يفتحه أحد",
      handedIn: "عندما يسلّم شخص ما شيئًا",
      asked: "عندما ينتظر شخص ما موافقتك",
      isSaved: "تم الحفظ.",
      whereSent: "راسلني عندما يُفتح شيء أرسله",
      whereAsked: "راسلني عندما ينتظر شخص ما موافقتي",
    },
    sessions: {
      title: "أين سُجّل دخولك",
      here: "هذا المتصفح",
      since: (when) => `سُجّل الدخول ${when}`,
      used: (when) => `آخر استخدام: ${when}`,
      signOut: "تسجيل الخروج",
      signingOut: "جارٍ تسجيل الخروج…",
      isSignedOut: "سُجّل خروجك هناك.",
      others: "الخروج من غيره",
      areSignedOut: "سُجّل خروجك من كل مكان آخر.",
    },
  },
  again: {
    titles: {
      add: "سجّل الدخول مرة أخرى لإضافة مفتاح مرور",
      remove: "سجّل الدخول مرة أخرى لإزالة مفتاح مرور",
      terminal: "سجّل الدخول مرة أخرى للسماح لطرفية بالدخول",
    },
    text: "مضى على تسجيل دخولك أكثر من 15 دقيقة. تسجيل الدخول من جديد يُظهر أنك ما زلت أنت.",
    otherwise: "إذا لم يكن أي من ذلك ممكنًا، فاطلب من المسؤول رابط دخول وافتحه في هذا المتصفح.",
    back: "رجوع",
  },
});
