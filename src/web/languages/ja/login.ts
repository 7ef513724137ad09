import type { texts as english } from "../en/login.ts";
import type { Translation } from "../translations.ts";

/** What the screens say on which a person lets a terminal in, in Japanese. */
export const texts: Translation<typeof english> = () => ({
  login: {
    title: "ターミナルを許可",
    lede: "「handoff login」がターミナルに表示したコードを入力してください。",
    code: "コード",
    hint: "8文字のアルファベットです。大文字・小文字の違いとハイフンは無視されます。",
    goOn: "続ける",
    checking: "確認中…",
    empty: "先にコードを入力してください。",
    malformed: "コードはBCDF-GHJKのような8文字のアルファベットです。",
    wrong: "このコードで待っているターミナルはありません。入力ミスか、使用済みか、10分以上前のコードです。",
    signIn: {
      title: "先にサインインしてください",
      text: "ターミナルを許可できるのは、サインインしている人だけです。別のタブでサインインすると、このタブは自動で先に進みます。",
      kept: (code) => `コード${code}はこのタブに保存されています。`,
      button: "サインイン",
    },
    terminal: {
      title: "このターミナルを許可しますか？",
      machine: "マシン",
      ownWord: "（マシン自身が名乗る名前）",
      address: "接続元",
      unknown: "不明",
      since: "開始",
      actsAs: "操作に使われるアカウント",
      caution:
        "このマシンでたった今「handoff login」を自分で実行した場合だけ、続けてください。ほかの人からコードを受け取った場合は、拒否してください。その人があなたになりすますおそれがあります。",
      allow: "許可する",
      allowing: "許可しています…",
      refuse: "拒否する",
      refusing: "拒否しています…",
    },
    allowed: {
      title: "許可しました",
      text: "ターミナルに戻ってください。ログインが続くのは最長12時間で、ここでサインインしている間だけです。",
    },
    refused: { title: "拒否しました", text: "ターミナルは許可されませんでした。" },
    gone: {
      title: "このターミナルは待っていません",
      text: "すでに許可または拒否されたか、コードが10分以上前のものです。ターミナルを確認してください。ログインしていなければ、もう一度コマンドを実行してください。",
    },
    another: "別のコード",
  },
});
