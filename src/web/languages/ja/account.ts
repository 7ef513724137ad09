import type { texts as english } from "../en/account.ts";
import type { Translation } from "../translations.ts";
import { dated } from "./times.ts";

/** What a person's account says, in Japanese. */
export const texts: Translation<typeof english> = ({ number }) => ({
  account: {
    browserOn: (browser, system) => `${system}の${browser}`,
    unknownBrowser: "不明なブラウザ",
    actionOn: (action, name) => `${action}：${name}`,
    passkeys: {
      title: "パスキー",
      what: "パスキーがあれば、指紋や顔、PINでサインインでき、リンクはいりません。",
      none: "パスキーはまだありません。",
      unsupported: "このブラウザではパスキーを使えません。",
      most: (count) => `パスキーは${number(count)}個までです。追加するには、先にどれかを削除してください。`,
      added: (when) => `${dated(when)}追加`,
      used: (when) => `${dated(when)}最後に使用`,
      unused: "まだ使われていません",
      add: "パスキーを追加",
      adding: "追加中…",
      isAdded: "パスキーを追加しました。",
      remove: "削除",
      removing: "削除中…",
      isRemoved: "パスキーを削除しました。",
      sure: {
        title: "このパスキーを削除しますか？",
        text: "削除すると、このパスキーではサインインできなくなります。端末には、そこで削除するまで残ることがあります。",
        confirm: "削除",
      },
      known: "そこにはすでにパスキーがあります。",
      refused: "サーバーがパスキーを受け付けませんでした。もう一度お試しください。",
      unusable: "このブラウザでは、ここでパスキーを追加できません。別のブラウザでお試しください。",
      offer: "パスキーを追加すると、次回からリンクなしでサインインできます。",
      later: "今はしない",
    },
    notices: {
      title: "メール",
      what: (address) => `メールは ${address} に届きます。`,
      opened: "送信したものが開かれたとき",
      ending: "誰も開いていないものの期限の 1 日前",
      handedIn: "何かが提出されたとき",
      asked: "承認を待っている人がいるとき",
      isSaved: "保存しました。",
      whereSent: "送信したものが開かれたらメールで知らせる",
      whereAsked: "承認を待っている人がいるときにメールで知らせる",
    },
    sessions: {
      title: "サインイン中のブラウザ",
      here: "このブラウザ",
      since: (when) => `${dated(when)}サインイン`,
      used: (when) => `${dated(when)}最後に使用`,
      signOut: "サインアウト",
      signingOut: "サインアウト中…",
      isSignedOut: "そのブラウザをサインアウトしました。",
      others: "ほかをサインアウト",
      areSignedOut: "ほかのブラウザをすべてサインアウトしました。",
    },
  },
  again: {
    titles: {
      add: "パスキーを追加するには、もう一度サインインしてください",
      remove: "パスキーを削除するには、もう一度サインインしてください",
      terminal: "ターミナルを許可するには、もう一度サインインしてください",
    },
    text: "サインインしてから15分以上たっています。もう一度サインインすると、ご本人であることを確認できます。",
    otherwise: "どの方法も使えない場合は、管理者にサインインリンクを発行してもらい、このブラウザで開いてください。",
    back: "戻る",
  },
});
