import type { texts as english } from "../en/page.ts";
import type { Translation } from "../translations.ts";
import { JUST_NOW } from "./times.ts";

/** What every screen may say, in Japanese. */
export const texts: Translation<typeof english> = ({ plural }) => ({
  language: "ja",
  direction: "ltr",
  name: "handoff",
  loading: "お待ちください…",
  slow: "サーバーからまだ応答がありません。",
  noScript: "ブラウザで復号するには、JavaScriptを有効にしてください。",
  frame: {
    tabs: "メイン",
    send: "送る",
    ask: "依頼する",
    activity: "履歴",
    toCollect: "件の受け取り待ち",
    accountOf: (name) => `${name}のアカウント`,
    signOut: "サインアウト",
    promise: "エンドツーエンドで暗号化されます。このサーバーは共有内容を読み取れません。",
    about: "仕組み",
    commandLine: "コマンドライン",
    api: "API",
    contact: "ヘルプ",
    imprint: "運営者情報",
    privacy: "プライバシー",
    runOn: (host) => `${host}に接続しています。このサーバーは共有内容を読み取れません。`,
    runBy: (name, host) => `${name}が${host}で運営しています。このサーバーは共有内容を読み取れません。`,
    language: "言語",
  },
  cancel: "キャンセル",
  leaving: {
    typed: {
      title: "入力内容を破棄しますか？",
      text: "まだ送信されておらず、このページには保存されません。",
      confirm: "破棄",
    },
    link: {
      title: "リンクをコピーせずに移動しますか？",
      text: "リンクは二度と表示されません。",
      confirm: "移動",
    },
    secret: {
      title: "機密情報を保存せずに閉じますか？",
      text: "まだコピーも保存もしていない内容があります。",
      confirm: "閉じる",
    },
  },
  copy: "コピー",
  copied: "コピーしました",
  notCopied: "このブラウザではページからコピーできません。テキストを選択してあるので、手動でコピーしてください。",
  insecure: {
    title: "このページにはHTTPSが必要です",
    text: "アドレスがhttpで始まるため、通信の途中で第三者がこのページを書き換え、機密情報を盗むおそれがあります。httpsで開いてください。開けない場合は、リンクの送信者に知らせてください。",
  },
  broken: {
    title: "リンクが途中で切れています",
    text: "メッセージからリンク全体をコピーしてください。",
  },
  tooLong: {
    title: "リンクに余分な文字があります",
    text: "余分な文字を含めずに、もう一度コピーしてください。",
  },
  noKey: {
    title: "リンクに鍵がありません",
    text: "#より後ろを切り落とすアプリがあります。ここにリンク全体を貼り付けてください。",
  },
  encodedKey: {
    title: "リンクが途中で書き換えられました",
    text: "アプリが#を%23に変えたため、鍵がサーバーに送られました。念のため、送信者に新しいリンクを送ってもらってください。ここにリンク全体を貼り付けることもできます。",
  },
  newerLink: {
    title: "新しいバージョンのリンクです",
    text: "このページのサーバーは、リンクより古いバージョンです。サーバーの管理者に知らせてください。",
  },
  forgotten: {
    title: "このタブに鍵が残っていません",
    text: "メッセージのリンクをもう一度開いてください。",
  },
  wrongLink: {
    title: "このリンクは使えません",
    text: "リンクが間違っているか、ずっと前に終了した可能性があります。リンク全体をもう一度コピーするか、送信者に新しいリンクを送ってもらってください。",
  },
  paste: {
    label: "リンク全体をここに貼り付け",
    button: "開く",
    empty: "先にリンクを貼り付けてください。",
    noLink: "handoffのリンクではありません。メッセージからもう一度コピーしてください。",
    noKey: "#以降が欠けています。この部分が鍵です。",
    elsewhere: (host) =>
      `このリンクは別のサーバー（${host}）のものです。知っているサーバーの場合だけ移動してください。`,
    openOn: (host) => `${host}に移動`,
  },
  tooMany: {
    title: "試行回数が多すぎます",
    text: "このリンクは使えません。また、お使いのネットワークからの失敗が多すぎます。リンクを確認し、1分後にもう一度お試しください。",
  },
  failed: {
    title: "処理できませんでした",
    bare: "処理できませんでした。",
    back: "処理できませんでしたが、サーバーは再び応答しています。もう一度お試しください。",
    network: {
      title: "サーバーに接続できません",
      bare: "サーバーに接続できません。",
      lede: "接続を確認し、もう一度お試しください。",
      text: "サーバーに接続できません。接続を確認し、もう一度お試しください。",
    },
    busy: {
      title: "サーバーを利用できません",
      bare: "サーバーを利用できません。",
      lede: "1分後にもう一度お試しください。",
      text: "サーバーを利用できません。1分後にもう一度お試しください。",
    },
    answered: {
      title: "サーバー自体からの応答ではありません",
      text: "途中にある別のものが、サーバーの代わりに応答しました。ホテルなどのように、ネットワークへのサインインが必要ではありませんか？確認してから、もう一度お試しください。",
    },
    limited: "呼び出しが多すぎます。1分後にもう一度お試しください。",
    other: "問題が発生しました。もう一度お試しください。",
    refused: "サーバーが受け付けませんでした。やり直しても結果は変わりません。サーバーの管理者に知らせてください。",
    stale: "このページの一部を読み込めません。接続を確認するか、ページを再読み込みしてください。",
    quota: "このチームの容量がサーバーに残っていません。サーバーの管理者か、リンクをくれた人に知らせてください。",
    unreadable:
      "読み取れないファイルがあります。まだ存在していて、フォルダではなくファイルであることを確認してください。",
    again: "もう一度試す",
  },
  retrying: {
    limited: "お使いのネットワークからの試行が多すぎます。",
    again: (reason, seconds) => plural(seconds, { other: `${reason}{n}秒後に再試行します…` }),
  },
  signedOut: {
    title: "サインアウトしています",
    text: "サインアウトしています。別のタブでサインインしてから、ここでもう一度お試しください。",
  },
  otherPerson: (name) => `現在、${name}がサインインしています。続けるには再読み込みしてください。`,
  justNow: JUST_NOW,
  today: (time) => `今日の${time}`,
  text: "テキスト",
  theText: "テキスト",
  size: {
    about: (size) => `約${size}`,
    lessThan: (size) => `${size}未満`,
  },
  person: {
    knownAs: (address, team) => `サーバーには${address}として登録されています（チーム: ${team}）`,
    known: (team) => `サーバーにはこの名前で登録されています（チーム: ${team}）`,
  },
  passphrase: {
    label: "パスフレーズ",
    show: "パスフレーズを表示",
    hide: "パスフレーズを隠す",
  },
  titles: {
    send: "機密情報を送る",
    ask: "機密情報を依頼する",
  },
});
