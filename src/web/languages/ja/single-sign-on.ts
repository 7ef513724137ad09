import type { texts as english } from "../en/single-sign-on.ts";
import type { Translation } from "../translations.ts";

/** What signing in with the account of a company says, in Japanese. */
export const texts: Translation<typeof english> = () => ({
  provider: {
    button: "会社アカウントを使う",
    failed: "サインインしていません",
    canceled: "サインインがキャンセルされたか、認証サービスに拒否されました。",
    refused: "このアカウントではサインインできません。管理者に問い合わせてください。",
    late: "時間がかかりすぎたか、すでに使われています。もう一度サインインしてください。",
    unavailable: "会社アカウントの認証サービスを利用できません。1分後にもう一度お試しください。",
  },
});
