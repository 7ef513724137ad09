import type { texts as english } from "../en/proving.ts";
import type { Translation } from "../translations.ts";

/** What the screens of a link that is for chosen people say, in Japanese. */
export const texts: Translation<typeof english> = () => ({
  proof: {
    forAddress: (address) => `${address}さん宛てです。`,
    forDomain: (domain) => `${domain}のアドレスを持つ全員に宛てたものです。`,
    forSeveral: "次の宛先に限られています：",
    everyoneAt: (domain) => `${domain}の全員`,
    hint: "アドレス全体を入力してください。コードがメールで届きます。アカウントは要りません。",
    hintOne: (start, end) =>
      `${start}で始まり、${end}で終わるアドレス全体を入力してください。コードがメールで届きます。アカウントは要りません。`,
    sent: (address) => `${address}が宛先に含まれていれば、コードのメールが届きます。`,
    resent: (address) =>
      `${address}が宛先に含まれていれば、新しいコードのメールが届きます。使えるのは新しいコードだけです。`,
    continue: "次へ",
    openAs: (address) => `${address}として開封`,
    continueAs: (address) => `${address}として進む`,
    notFor: (address) =>
      `${address}としてサインインしていますが、このアドレスは宛先ではありません。別のアドレスを使うか、リンクの送り主に聞いてください。`,
    ended: "アドレスを確認してから10分以上たちました。続けるには、新しいコードを送信してください。",
    worth: "アドレスはサーバーが確認します。それでも、リンクは秘密にしてください。",
    thenApproval: "その後、開封するには許可が必要です。",
    noMail: "このサーバーはメールを送信しません。サインインしてから、このリンクをもう一度開いてください。",
    signIn: "サインイン",
  },
});
