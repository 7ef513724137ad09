import type { texts as english } from "../en/mail.ts";
import type { Translation } from "../translations.ts";

/** What the start page says where people sign in with a code by mail, in Japanese. */
export const texts: Translation<typeof english> = () => ({
  mail: {
    address: "メールアドレス",
    send: "コードを送信",
    sending: "送信中…",
    noAccount: "コードがメールで届きます。アカウントがない場合は、管理者にお問い合わせください。",
    empty: "先にアドレスを入力してください。",
    malformed: "アドレスはann@example.comのような形です。",
    sent: (address) => `${address}が登録されていれば、コードが届きます。`,
    hint: "コードは8桁の数字で、このブラウザーで10分間使えます。届かない場合は、迷惑メールフォルダーを確認してください。",
    code: "メールのコード",
    emptyCode: "先にコードを入力してください。",
    malformedCode: "コードは8桁の数字です。",
    wrong: "このコードは使えません。最新のメールのコードを入力してください。5回間違えると、新しいコードが必要です。",
    over: "期限切れか、使用済みか、5回間違えたコードです。新しいコードを送信してください。",
    another: "新しいコード",
    resent: (address) => `${address}が登録されていれば、新しいコードが届きます。使えるのは新しいコードだけです。`,
    otherAddress: "別のアドレス",
    limited: "コードのリクエストが多すぎます。15分ほど待ってから、もう一度お試しください。",
  },
});
