import type { texts as english } from "../en/submitting.ts";
import type { Translation } from "../translations.ts";
import { apart, ltr } from "./isolates.ts";

/** What the screens say on which text and files are put together, and those of a request, in Arabic. */
export const texts: Translation<typeof english> = ({ number, plural }) => ({
  content: {
    label: "السر",
    placeholder: "كلمة مرور أو مفتاح أو ملاحظة…",
    add: "إضافة ملفات",
    addFolder: "إضافة مجلد",
    addPhoto: "إضافة صورة",
    drop: "أو أفلت الملفات هنا",
    dropNow: "أفلت للإضافة",
    room: (limit) => `حتى ${limit}`,
    used: (used, limit) => `${used} من ${limit}`,
    remove: (name) => `إزالة ${apart(name)}`,
    removeAll: "إزالة الكل",
    moreFiles: (count) =>
      plural(count, {
        one: "ملف آخر",
        two: "ملفان آخران",
        few: "{n} ملفات أخرى",
        many: "{n} ملفًا آخر",
        other: "{n} ملف آخر",
      }),
    lines: (count) =>
      plural(count, { one: "سطر واحد", two: "سطران", few: "{n} أسطر", many: "{n} سطرًا", other: "{n} سطر" }),
    longText: "أطول من أن يُعدَّل هنا.",
    empty: "اكتب شيئًا، أو أضف ملفًا.",
    sameName: (name) => `يوجد ملف باسم ${apart(name)} بالفعل. أزله أولًا، أو غيّر اسم الآخر.`,
    tooMany: `عدد الملفات أكثر من ${number(10_000)}، ولن يستطيع أحد استخراجها. ضعها في أرشيف أولًا.`,
    tooLarge: (size, limit) => `هذا كبير جدًا. حجمه ${size}، والحد ${limit}.`,
    fileTooLarge: (name, size, limit) => `الملف ${apart(name)} كبير جدًا. حجمه ${size}، والحد ${limit}.`,
    badName: (name) => `لا يمكن إرسال ملف باسم «${apart(name)}». غيّر اسمه أولًا.`,
    unreadable: (name) => `تتعذّر قراءة ${apart(name)}. هل ما زال موجودًا؟`,
    moreRefused: (count) =>
      plural(count, {
        one: "لم يُضف ملف آخر.",
        two: "لم يُضف ملفان آخران.",
        few: "لم تُضف {n} ملفات أخرى.",
        many: "لم يُضف {n} ملفًا آخر.",
        other: "لم يُضف {n} ملف آخر.",
      }),
    shortcut: (keys) => `أو اضغط ${ltr(keys)}`,
  },
  delivery: {
    encrypting: "جارٍ التشفير…",
    encryptingText: "لم يُرسل السر بعد.",
    sending: "جارٍ الإرسال…",
    sendingText: "تم تشفيره. أبقِ هذه الصفحة مفتوحة حتى ينتهي الإرسال.",
    progress: "تقدّم الإرسال",
    left: (time) => `الوقت المتبقي تقريبًا ${time}`,
    waiting: "في انتظار رد الخادم…",
    canceling: "جارٍ الإلغاء…",
    cancelingText: "إن كان السر قد وصل، فسيُبطَل.",
    canceledBefore: "تم الإلغاء، ولم يُرسل شيء.",
  },
  submit: {
    title: "طُلب منك سر",
    titleBy: (name) => `وصلك من ${apart(name)} طلب سر`,
    caution: "لا تتابع إلا إذا كنت تعرف من أرسل إليك هذا الرابط.",
    label: "ما تسلّمه",
    placeholder: "اكتبه أو الصقه هنا",
    terms: "لا يستطيع قراءته إلا من طلبه.",
    until: (when) => `ينتهي الرابط ${when}.`,
    left: (count) =>
      plural(count, {
        one: "يمكن تسليم سر واحد.",
        two: "يمكن تسليم سرين، واحدًا بعد الآخر.",
        few: "يمكن تسليم {n} أسرار، واحدًا بعد الآخر.",
        many: "يمكن تسليم {n} سرًا، واحدًا بعد الآخر.",
        other: "يمكن تسليم {n} سر، واحدًا بعد الآخر.",
      }),
    button: "تسليم",
    showField: (name) => `إظهار ${apart(name)}`,
    hideField: (name) => `إخفاء ${apart(name)}`,
    wrongValues: {
      missing: "املأ هذا الحقل.",
      too_long: "هذا طويل جدًا.",
      several_lines: "هذا أكثر من سطر واحد.",
      control_character: "فيه حرف لا يمكن إرساله.",
    },
    joined: "لصقت عدة أسطر فأصبحت سطرًا واحدًا. تحقق منه.",
    canceled: "تم الإلغاء، وربما وصل السر من قبل. للتأكد، سلّمه مرة أخرى دون تغيير: عندئذ يُحسب مرة واحدة.",
    swapped: {
      title: "توقف: لا ترسل شيئًا",
      text: "الرابط تالف، أو أن الخادم يحاول قراءة ما ترسله. لم يُرسل شيء. انسخ الرابط كاملًا مرة أخرى. إن لم يفد ذلك، فأخبر من أرسله إليك.",
    },
    noteBroken: "تتعذّر قراءة ملاحظة هذا الطلب. الرابط تالف، أو أن الخادم غيّرها. لم يُرسل شيء.",
    paused: {
      title: "هذا الطلب متوقف مؤقتًا",
      text: "لا يمكن تسليم شيء الآن. حاول لاحقًا، أو اسأل من أرسل إليك الرابط.",
    },
    fulfilled: {
      title: "سبق التسليم",
      text: "سُلّم كل ما طُلب، منك أو من غيرك. لم يعد الطلب يقبل شيئًا.",
    },
    expired: { title: "انتهت صلاحية هذا الطلب", text: "لم يعد يقبل أسرارًا. اطلب رابطًا جديدًا." },
    revoked: {
      title: "أُبطل هذا الطلب",
      text: "لم يعد يقبل أسرارًا.",
    },
    notSent: "لم يُرسل السر.",
    kept: "ما كتبته لا يزال هنا.",
    earlierArrived: "وصل ما أرسلته أولًا، ويستطيع من طلبه فتحه. لم يُرسل ما غيّرته بعد ذلك: أخبر من طلبه.",
    done: {
      title: "تم التسليم",
      text: "لا يستطيع فتحه إلا من طلبه. يمكنك إغلاق هذه الصفحة.",
      hadEarlier: "ربما وصل أيضًا ما أرسلته من قبل دون رد. أخبر من طلبه أيهما الصحيح.",
      more: "تسليم سر آخر",
      reference: "الرقم المرجعي",
      referenceText: "به يجد من طلب السر ما سلّمته. لا يمكن فتح السر به.",
    },
  },
});
