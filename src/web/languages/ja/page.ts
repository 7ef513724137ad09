import type { texts as english } from "../en/page.ts";
import type { Translation } from "../translations.ts";
import { JUST_NOW } from "./times.ts";

/** What every screen may say, in Japanese. */
export const texts: Translation<typeof english> = ({ plural }) => ({
  language: "ja",
  direction: "ltr",
  name: "handoff",
  loading: "読み込んでいます…",
  slow: "サーバーの応答を待っています。",
  frame: {
    promise: "ブラウザの中で暗号化されます。このサーバーには読めません。",
    about: "仕組み",
    commandLine: "コマンドライン",
    api: "API",
    contact: "お問い合わせ",
    imprint: "運営者情報",
    privacy: "プライバシー",
    runOn: (host) => `接続先は${host}です。やり取りする内容は、このサーバーには読めません。`,
    runBy: (name, host) => `${name}が${host}で運営しています。やり取りする内容は、このサーバーには読めません。`,
    language: "言語",
  },
  cancel: "キャンセル",
  leaving: {
    typed: {
      title: "入力した内容を破棄しますか？",
      text: "まだ送信されていません。このページにも残りません。",
      confirm: "破棄する",
    },
    link: {
      title: "リンクをコピーせずに移動しますか？",
      text: "このリンクは再表示できません。",
      confirm: "移動する",
    },
    secret: {
      title: "機密情報を保存せずに閉じますか？",
      text: "まだコピーも保存もしていない内容があります。",
      confirm: "閉じる",
    },
  },
  copy: "コピー",
  copied: "コピー済み",
  notCopied: "このブラウザでは、ページからコピーできません。テキストを選択してあるので、ご自身でコピーしてください。",
  insecure: {
    title: "このページにはHTTPSが必要です",
    text: "アドレスがhttpで始まっているため、通信の途中でページを書き換えられ、機密情報を盗まれるおそれがあります。httpsで開いてください。開けない場合は、リンクの送り主に知らせてください。",
  },
  broken: {
    title: "リンクが途中で切れています",
    text: "メッセージから、リンク全体をコピーし直してください。",
  },
  tooLong: {
    title: "リンクに余分な文字があります",
    text: "余分な文字を除いて、コピーし直してください。",
  },
  noKey: {
    title: "リンクに鍵が含まれていません",
    text: "アプリによっては、#以降が切り落とされます。リンク全体をここに貼り付けてください。",
  },
  encodedKey: {
    title: "リンクが途中で書き換えられました",
    text: "アプリが#を%23に変えたため、鍵がサーバーに送られました。念のため、送信者に新しいリンクを送ってもらってください。リンク全体をここに貼り付けて続けることもできます。",
  },
  newerLink: {
    title: "新しいバージョンのリンクです",
    text: "このページのサーバーは、リンクより古いバージョンです。管理者に知らせてください。",
  },
  forgotten: {
    title: "このタブに鍵が残っていません",
    text: "メッセージにあるリンクを、もう一度開いてください。",
  },
  wrongLink: {
    title: "このリンクは使えません",
    text: "リンクに誤りがあるか、ずっと前に無効になっています。リンク全体をコピーし直すか、送信者に新しいリンクを送ってもらってください。",
  },
  paste: {
    label: "リンク全体をここに貼り付け",
    button: "開く",
    empty: "先にリンクを貼り付けてください。",
    noLink: "handoffのリンクではありません。メッセージからコピーし直してください。",
    noKey: "#以降が欠けています。この部分が鍵です。",
    kinds: {
      secret: "機密情報を開封するリンクです。",
      request: "機密情報を提出する依頼リンクです。",
      backup: "提出された内容を開封するバックアップリンクです。",
    },
    elsewhere: (host) => `別のサーバー（${host}）のリンクです。知っているサーバーの場合だけ移動してください。`,
    openOn: (host) => `${host}に移動`,
  },
  tooMany: {
    title: "試行回数が多すぎます",
    text: "同じネットワークから、誤ったリンクが何度も試されています。リンクを確認し、1分ほど待ってからもう一度お試しください。",
  },
  failed: {
    title: "うまくいきませんでした",
    bare: "うまくいきませんでした。",
    back: "サーバーの応答が戻りました。もう一度お試しください。",
    network: {
      title: "サーバーに接続できません",
      bare: "サーバーに接続できません。",
      lede: "接続を確認して、もう一度お試しください。",
      text: "サーバーに接続できません。接続を確認して、もう一度お試しください。",
    },
    busy: {
      title: "サーバーを利用できません",
      bare: "サーバーを利用できません。",
      lede: "1分ほど待ってから、もう一度お試しください。",
      text: "サーバーを利用できません。1分ほど待ってから、もう一度お試しください。",
    },
    answered: {
      title: "サーバーからの応答ではありません",
      text: "サーバーとの間にある別のものが応答しました。ホテルのWi-Fiなど、先にログインが必要なネットワークかもしれません。確認して、もう一度お試しください。",
    },
    limited: "短い間に操作が集中しました。1分ほど待ってから、もう一度お試しください。",
    other: "問題が発生しました。もう一度お試しください。",
    refused: "サーバーが受け付けませんでした。やり直しても変わりません。管理者に知らせてください。",
    stale: "ページの一部を読み込めません。接続を確認するか、ページを再読み込みしてください。",
    quota:
      "このチームが使えるサーバーの空き容量が足りません。もっと小さいものを送るか、容量を増やすよう頼んでください。",
    again: "もう一度試す",
  },
  retrying: {
    limited: "同じネットワークからの試行が多すぎます。",
    again: (reason, seconds) => plural(seconds, { other: `${reason}{n}秒後に再試行します…` }),
  },
  signedOut: {
    title: "サインアウトしました",
    text: "サインアウトしています。別のタブでサインインし直してから、ここでもう一度お試しください。",
  },
  otherPerson: (name) => `${name}さんがサインインしました。続けるには、ページを再読み込みしてください。`,
  justNow: JUST_NOW,
  onDay: (day) => day,
  atTime: (day, time) => `${day} ${time}`,
  timeLeft: (duration) => `残り${duration}`,
  text: "テキスト",
  theText: "テキスト",
  size: {
    about: (size) => `約${size}`,
    lessThan: (size) => `${size}未満`,
  },
  person: {
    according: "このサーバーに登録された情報です",
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
