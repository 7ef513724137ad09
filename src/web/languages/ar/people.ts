import type { texts as english } from "../en/people.ts";
import type { Translation } from "../translations.ts";
import { ltr } from "./isolates.ts";

/** What the screens say about the people whom a secret or a request is for, in Arabic. */
export const texts: Translation<typeof english> = ({ number, plural }) => ({
  people: {
    whoOpens: "من يستطيع فتحه؟",
    whoHandsIn: "من يستطيع التسليم؟",
    everyone: "كل من لديه الرابط",
    hint: `اكتب عناوين بريد، أو ${ltr("*@example.com")} لكل من في النطاق.`,
    worth:
      "يتحقق الخادم من ذلك برمز يرسله بالبريد إلى العنوان. قد يتجاوز القائمون على الخادم هذا التحقق، فأبقِ الرابط سرًّا.",
    only: "للمختارين فقط",
    remove: (address) => `إزالة ${ltr(address)}`,
    wrong: `ليس هذا عنوانًا. يبدو العنوان هكذا: ${ltr("ann@example.com")}.`,
    tooMany: (most) => `الحد الأقصى هو ${number(most)}.`,
    required: "تطلب قواعد فريقك أن تحدد الأشخاص.",
    onlyAt: (domains: string) => `لا تسمح قواعد فريقك إلا بأشخاص من: ${domains}.`,
    refused: "لا يقبل الخادم أحد هذه العناوين. تحقق منها.",
    chosen: "إلى",
    lede: (times, when) =>
      plural(times, {
        one: `لا يستطيع فتح السر إلا من اخترتهم، مرة واحدة. ينتهي الرابط ${when}، ولن يظهر مرة أخرى.`,
        two: `لا يستطيع فتح السر إلا من اخترتهم، مرتين إجمالًا. ينتهي الرابط ${when}، ولن يظهر مرة أخرى.`,
        few: `لا يستطيع فتح السر إلا من اخترتهم، {n} مرات إجمالًا. ينتهي الرابط ${when}، ولن يظهر مرة أخرى.`,
        other: `لا يستطيع فتح السر إلا من اخترتهم، {n} مرة إجمالًا. ينتهي الرابط ${when}، ولن يظهر مرة أخرى.`,
      }),
    asked: "طلبته",
    opened: (address) => `فتحه ${ltr(address)}، والعنوان مُثبَت`,
    handedIn: (address) => `سلّمه ${ltr(address)}، والعنوان مُثبَت`,
    refusedOne: (address) => `أدخل شخص لديه الرابط العنوان ${ltr(address)} ولم يُثبت أحد العناوين المختارة`,
    refusedUnnamed: "لم يُثبت شخص لديه الرابط أحد العناوين المختارة",
  },
});
