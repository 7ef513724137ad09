import type { texts as english } from "../en/large-opening.ts";
import type { Translation } from "../translations.ts";
import { apart } from "./isolates.ts";

/** What the screens of a large secret that is opened say, in Arabic. */
export const texts: Translation<typeof english> = ({ number }) => ({
  largeOpening: {
    noRoom: (size) =>
      `لا تتوفر في هذا المتصفح مساحة تكفي ${apart(size)}. وفّر مساحة وأعد تحميل هذه الصفحة، أو افتح الرابط بالأمر «handoff open». لم تفتح السر بعد.`,
    noRoomToCollect: (size) =>
      `لا تتوفر في هذا المتصفح مساحة تكفي ${apart(size)}. وفّر مساحة وحاول مرة أخرى، أو افتحه في سطر الأوامر: اكتب «handoff collect -»، ثم ألصق رابط النسخة الاحتياطية لهذا الطلب.`,
    unable:
      "لا يستطيع هذا المتصفح تخزين سر بهذا الحجم، وكثيرًا ما يتعذر ذلك في النوافذ الخاصة. انسخ الرابط من حيث تلقيته، وافتحه في متصفح آخر أو بالأمر «handoff open». لم تفتح السر بعد.",
    locked:
      "سلّم الخادم السر إلى علامة التبويب هذه، لكنه ما زال مقفلًا بعبارة المرور. أبقِ علامة التبويب هذه مفتوحة حتى تفتحه.",
    progressLabel: "جارٍ الفتح",
    progress: (done, total) => `${apart(done)} من ${apart(total)}`,
    rate: (size) => `${apart(size)}/ث`,
    left: (time) => `بقي ${apart(time)}`,
    keepOpen: "أبقِ علامة التبويب هذه مفتوحة حتى يصل كل شيء.",
    stop: "إيقاف",
    stopped: "تم الإيقاف، وحُذف ما كان قد وصل.",
    unwritable: "لا يستطيع هذا المتصفح تخزين السر: ربما امتلأ القرص. وحُذف ما كان قد وصل.",
    again: (time) => `يمكنك فتحه مرة أخرى في علامة التبويب هذه حتى ${apart(time)}.`,
    damaged: "هذا السر مبتور أو تم تغييره، فلا يُعرض شيء منه. اطلب إرساله مرة أخرى.",
    saveAll: "تنزيل الكل",
    zipping: (percent) => `جارٍ إنشاء ZIP… ${number(percent)}%`,
    stored: "يحتفظ به هذا المتصفح على جهازك حتى تغلق هذه الصفحة. انتظر أولًا حتى تكتمل تنزيلاتك.",
    gone: "لم يعد الملف موجودًا في هذا المتصفح. إن بقي وقت، فأعد تحميل هذه الصفحة للحصول عليه مرة أخرى.",
  },
});
