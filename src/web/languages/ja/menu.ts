import type { texts as english } from "../en/menu.ts";
import type { Translation } from "../translations.ts";

/** What the bar of a signed-in person says, in Japanese. */
export const texts: Translation<typeof english> = () => ({
  menu: {
    tabs: "メイン",
    send: "送る",
    ask: "依頼する",
    activity: "履歴",
    forYou: "件が対応待ち",
    accountOf: (name) => `${name}のアカウント`,
    account: "アカウント",
    audit: "監査ログ",
    signOut: "サインアウト",
  },
});
