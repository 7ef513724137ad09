import type { texts as english } from "../en/single-sign-on.ts";
import type { Translation } from "../translations.ts";

/** What signing in with the account of a company says, in Arabic. */
export const texts: Translation<typeof english> = () => ({
  provider: {
    button: "الدخول بحساب الشركة",
    failed: "لم تسجّل الدخول",
    canceled: "أُلغي الدخول، أو رفضه مزوّد الحساب.",
    refused: "لا يمكن الدخول هنا بهذا الحساب. اسأل المسؤول.",
    late: "استغرق ذلك وقتًا طويلًا، أو سبق استخدامه. سجّل الدخول مرة أخرى.",
    unavailable: "مزوّد حساب شركتك غير متاح. حاول مرة أخرى بعد دقيقة.",
  },
});
