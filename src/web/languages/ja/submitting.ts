import type { texts as english } from "../en/submitting.ts";
import type { Translation } from "../translations.ts";

/** What the screens say on which text and files are put together, and those of a request, in Japanese. */
export const texts: Translation<typeof english> = ({ plural }) => ({
  content: {
    label: "機密情報",
    placeholder: "パスワード、鍵、メモなど",
    add: "ファイルを追加",
    addFolder: "フォルダを追加",
    addPhoto: "写真を追加",
    drop: "またはページ上にドロップ",
    dropNow: "ドロップして追加",
    room: (limit) => `最大${limit}`,
    used: (used, limit) => `${used} / ${limit}`,
    remove: (name) => `${name}を削除`,
    removeAll: "すべて削除",
    moreFiles: (count) => plural(count, { other: "ほか{n}個のファイル" }),
    lines: (count) => plural(count, { other: "{n}行" }),
    longText: "長すぎるため、ここでは編集できません。",
    empty: "何か入力するか、ファイルを追加してください。",
    sameName: (name) => `${name}という名前のファイルがすでにあります。先に削除するか、もう一方の名前を変えてください。`,
    tooMany: "ファイルが10,000個を超えていて、だれも展開できません。先にアーカイブにまとめてください。",
    tooLarge: (size, limit) => `サイズが大きすぎます。${size}ですが、上限は${limit}です。`,
    fileTooLarge: (name, size, limit) => `${name}は大きすぎます。${size}ですが、上限は${limit}です。`,
    badName: (name) => `「${name}」という名前のファイルは送れません。先に名前を変えてください。`,
    unreadable: (name) => `${name}を読み取れません。ファイルがまだ存在するか確認してください。`,
    moreRefused: (count) => plural(count, { other: "ほか{n}個のファイルも追加されませんでした。" }),
    shortcut: (keys) => `または${keys}`,
  },
  delivery: {
    encrypting: "暗号化中…",
    encryptingText: "機密情報はまだ送信されていません。",
    sending: "送信中…",
    sendingText: "暗号化は済んでいます。完了するまでこのページを閉じないでください。",
    progress: "送信済み",
    left: (time) => `残り約${time}`,
    waiting: "サーバーの応答を待っています…",
    canceling: "キャンセル中…",
    cancelingText: "すでに届いていれば、取り消されます。",
    canceledBefore: "キャンセルしました。何も送信されていません。",
  },
  submit: {
    title: "機密情報の提出を依頼されています",
    titleBy: (name) => `${name}から機密情報の依頼です`,
    caution: "このリンクの送り主がだれか、わかる場合だけ続けてください。",
    cautionHelp: "不安なときは、すでに知っている番号に電話して確認してください。",
    label: "提出する内容",
    placeholder: "ここに入力または貼り付け",
    terms: (when) => `読めるのは依頼した人だけです。アカウントは不要です。リンクの有効期限は${when}です。`,
    left: (count) =>
      count === 1
        ? "機密情報を1件提出できます。"
        : plural(count, { other: "機密情報を1件ずつ、合計{n}件提出できます。" }),
    button: "提出する",
    canceled:
      "キャンセルしましたが、すでに届いた可能性があります。確実にするには、内容を変えずにもう一度提出してください。1件とだけ数えられます。",
    swapped: {
      title: "何も送らないでください",
      text: "リンクが破損しているか、サーバーが送信内容を読もうとしています。何も送信されていません。リンク全体をもう一度コピーしてください。それでも解決しない場合は、送ってきた人に知らせてください。",
    },
    noteBroken:
      "この依頼のメモを読み取れません。リンクが破損しているか、サーバーがメモを書き換えています。何も送信されていません。",
    paused: {
      title: "この依頼は一時停止中です",
      text: "今は何も提出できません。後でもう一度試すか、リンクを送ってきた人に聞いてください。",
    },
    fulfilled: {
      title: "提出済みです",
      text: "依頼されたものは、あなたかほかの人がすべて提出しました。これ以上は提出できません。",
    },
    expired: { title: "この依頼は期限切れです", text: "もう提出できません。新しいリンクをもらってください。" },
    revoked: {
      title: "この依頼は取り消されました",
      text: "もう提出できません。",
    },
    notSent: "機密情報は送信されませんでした。",
    kept: "入力内容はここに残っています。",
    earlierArrived:
      "最初に送った内容は届いていて、依頼した人が開封できます。その後の変更は送信されていません。依頼した人に知らせてください。",
    done: {
      title: "提出しました",
      text: "暗号化されていて、開封できるのは依頼した人だけです。このページを閉じてかまいません。",
      hadEarlier:
        "応答がなかった前回の送信も、届いている可能性があります。どちらが正しいかを、依頼した人に伝えてください。",
      more: "もう1件提出",
      reference: "参照番号",
      referenceText: "依頼した人が見つけられないときに役立ちます。これで開封することはできません。",
    },
  },
});
