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
    drop: "またはページにドロップ",
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
    tooMany: "ファイルが10,000個を超えているため、受け取った人が展開できません。先にアーカイブにまとめてください。",
    tooLarge: (size, limit) => `サイズが大きすぎます（${size}）。上限は${limit}です。`,
    fileTooLarge: (name, size, limit) => `${name}は大きすぎます（${size}）。上限は${limit}です。`,
    badName: (name) => `「${name}」という名前のファイルは送れません。先に名前を変えてください。`,
    unreadable: (name) => `${name}を読み取れません。ファイルがまだあるか確認してください。`,
    moreRefused: (count) => plural(count, { other: "ほか{n}個のファイルも追加されませんでした。" }),
    shortcut: (keys) => `または${keys}`,
  },
  delivery: {
    encrypting: "暗号化中…",
    encryptingText: "機密情報はまだ送信されていません。",
    sending: "送信中…",
    sendingText: "暗号化は済んでいます。終わるまで、このページを閉じないでください。",
    progress: "送信済み",
    left: (time) => `残り約${time}`,
    waiting: "サーバーの応答を待っています…",
    canceling: "キャンセル中…",
    cancelingText: "すでに届いている場合は、取り消します。",
    canceledBefore: "キャンセルしました。何も送信されていません。",
  },
  submit: {
    title: "機密情報の依頼が届いています",
    titleBy: (name) => `${name}さんから機密情報の依頼です`,
    caution: "リンクの送り主がだれか、わかる場合だけ続けてください。",
    label: "提出する内容",
    placeholder: "ここに入力または貼り付け",
    terms: "読めるのは、依頼した人だけです。",
    until: (when) => `このリンクの有効期限は${when}です。`,
    left: (count) =>
      count === 1 ? "1件だけ提出できます。" : plural(count, { other: "1件ずつ、合わせて{n}件まで提出できます。" }),
    button: "提出する",
    showField: (name) => `${name}を表示`,
    hideField: (name) => `${name}を隠す`,
    wrongValues: {
      missing: "入力してください。",
      too_long: "長すぎます。",
      several_lines: "1行で入力してください。",
      control_character: "送信できない文字が含まれています。",
    },
    joined: "貼り付けた複数の行が1行になりました。内容を確認してください。",
    canceled:
      "キャンセルしましたが、すでに届いている可能性があります。念のため、内容を変えずにもう一度提出してください。1件として扱われます。",
    swapped: {
      title: "何も送らないでください",
      text: "リンクが壊れているか、サーバーが送信内容を読もうとしています。まだ何も送信されていません。リンク全体をコピーし直してください。それでも解決しないときは、リンクをくれた人に知らせてください。",
    },
    noteBroken:
      "この依頼のメモを読み取れません。リンクが壊れているか、サーバーがメモを書き換えています。まだ何も送信されていません。",
    paused: {
      title: "この依頼は一時停止中です",
      text: "今は提出できません。後でもう一度試すか、リンクをくれた人に聞いてください。",
    },
    fulfilled: {
      title: "提出済みです",
      text: "依頼されたものは、あなたかほかの人がすべて提出しました。これ以上は提出できません。",
    },
    expired: { title: "この依頼は期限切れです", text: "もう提出できません。新しいリンクを送ってもらってください。" },
    revoked: {
      title: "この依頼は取り消されました",
      text: "もう提出できません。",
    },
    notSent: "機密情報は送信されませんでした。",
    kept: "入力した内容は、ここに残っています。",
    earlierArrived:
      "最初に提出した内容は届いていて、依頼した人が開封できます。その後の変更は送信されていません。依頼した人に伝えてください。",
    done: {
      title: "提出しました",
      text: "開封できるのは、依頼した人だけです。このページを閉じてかまいません。",
      hadEarlier:
        "応答がなかった前回の分も、届いている可能性があります。どちらが正しいか、依頼した人に伝えてください。",
      more: "もう1件提出",
      reference: "参照番号",
      referenceText: "依頼した人は、この番号で提出物を探せます。番号だけで開封することはできません。",
    },
  },
});
