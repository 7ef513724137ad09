import type { texts as english } from "../en/deciding.ts";
import type { Translation } from "../translations.ts";
import { apart, ltr } from "./isolates.ts";

/** What is said where the opening of a secret has to be approved, in Arabic. */
export const texts: Translation<typeof english> = ({ number }) => ({
  deciding: {
    title: "السماح بالفتح؟",
    showAll: (count) => `إظهار الكل (${number(count)})`,
    wants: "هناك من يريد فتح هذا السر.",
    secret: (idEnd) => `سر ${ltr(idEnd)}`,
    same: "يرى الطرف الآخر الكلمات نفسها. اسأل عنها بالهاتف.",
    who: "مقدّم الطلب",
    sender: "المرسل",
    proven: (address) => `${ltr(address)}، والعنوان مُثبَت`,
    unproven: "شخص لديه الرابط، دون إثبات عنوان",
    teammate: (idEnd) => `أحد أعضاء فريقك، المعرّف ${ltr(idEnd)}`,
    asked: "طُلب",
    until: "ينتهي الانتظار",
    letIn: "سماح",
    refuse: "رفض",
    refuseLater: "التراجع والرفض",
    busy: { approved: "جارٍ السماح…", refused: "جارٍ الرفض…" },
    outcomes: {
      approved: "سمحت بفتحه مرة واحدة، خلال 10 دقائق.",
      refused: "رفضت الطلب. يمكن طلب السماح مرة أخرى.",
      over: "فات الأوان: انتهى الوقت، أو فُتح السر أو أُبطل، أو طُلب السماح مرة أخرى، أو قرّر شخص آخر.",
      not_approver: "القرار هنا لشخص آخر.",
    },
    news: (name, list) => `هناك من يريد فتح «${apart(name)}»: ${ltr(list)}.`,
    approver: { title: "السماح بالفتح", sender: "منك", team: "من شخص آخر في فريقك" },
    history: {
      asked: (who, list) => `طُلب السماح بالفتح: ${who} (${ltr(list)})`,
      letIn: {
        you: (list) => `سمحت بالفتح (${ltr(list)})`,
        other: (list) => `سمح بالفتح أحد أعضاء فريقك (${ltr(list)})`,
      },
      refused: {
        you: (list) => `رفضت الفتح (${ltr(list)})`,
        other: (list) => `رفض الفتح أحد أعضاء فريقك (${ltr(list)})`,
      },
    },
  },
});
