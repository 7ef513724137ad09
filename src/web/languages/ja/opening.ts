import type { texts as english } from "../en/opening.ts";
import type { Translation } from "../translations.ts";
import { dated } from "./times.ts";

/** What the screens of a secret that is opened say, in Japanese. */
export const texts: Translation<typeof english> = ({ plural }) => ({
  open: {
    title: "機密情報が届いています",
    titleBy: (name) => `${name}さんから機密情報が届いています`,
    titleHere: "パスフレーズを入力",
    files: (count) => plural(count, { other: "ファイル{n}個" }),
    both: (count) => plural(count, { other: "テキストとファイル{n}個" }),
    times: (left) => (left === 1 ? "開封は1回だけ" : plural(left, { other: "開封は{n}回まで" })),
    moreTimes: (left) => plural(left, { other: "開封はあと{n}回" }),
    until: (when) => `${when}まで`,
    passphraseHint: "送信者に聞いてください。何度でも試せます。",
    taken:
      "機密情報は届いていますが、まだパスフレーズで保護されています。読み終えるまで、このタブを閉じないでください。",
    takenHere:
      "機密情報は届いていますが、まだパスフレーズで保護されています。このブラウザには保存できません。読み終えるまで、このタブを閉じたり再読み込みしたりしないでください。",
    notYet: "機密情報はまだ開封していません。",
    maybe: "サーバーが機密情報をすでに渡した可能性があります。このタブで、すぐにもう一度お試しください。",
    maybeTrying: "サーバーが機密情報をすでに渡した可能性があります。再試行しているので、このタブを閉じないでください。",
    refusedTrying: "サーバーは、何も渡していないと応答しました。このタブで再試行しています。",
    emptyPassphrase: "先にパスフレーズを入力してください。",
    spaces: "先頭か末尾に空白があります。そのままで開けなければ、空白を除いて試します。",
    wrongPassphrase: "パスフレーズが違います。確認して、もう一度お試しください。",
    passphraseMissing: "パスフレーズも必要です。送信者に聞くか、このリンクを元のリンクと見比べてください。",
    beWary: "心当たりがないときは、開封する前に、リンクの送り主に確認してください。",
    beWaryOf: (name) => `心当たりがないときは、開封する前に、${name}さんに確認してください。`,
    button: "開封する",
    opening: (percent) => (percent < 100 ? `開封中… ${percent}%` : "開封中…"),
  },
  opened: {
    text: "機密情報",
    file: "ファイル",
    from: (name) => `${name}さんから`,
    theTextIsHidden: "テキストは非表示です",
    hidden: (characters) => plural(characters, { other: "非表示、{n}文字" }),
    lines: (count) => plural(count, { other: "テキスト、{n}行" }),
    fields: (count) => plural(count, { other: "{n}項目" }),
    hide: "隠す",
    show: "表示",
    showAgain: "もう一度表示",
    hideAll: "すべて隠す",
    showAll: "すべて表示",
    copyAll: "すべてコピー",
    copyThis: (name) => `${name}をコピー`,
    copiedThis: (name) => `${name}をコピーしました`,
    showThis: (name) => `${name}を表示`,
    hideThis: (name) => `${name}を隠す`,
    download: (name) => `${name}をダウンロード`,
    save: "ダウンロード",
    saveAll: "ZIPで一括保存",
    saved: (size) => `${size} · ダウンロード済み`,
    archive: "secret.zip",
    notZipped: "ZIPを作成できません。接続を確認するか、ファイルを1つずつダウンロードしてください。",
    preview: (name) => `${name}のプレビュー`,
    noPreview: "このブラウザでは表示できません。ダウンロードしてご覧ください。",
    keep: "今すぐ保存してください。もう一度表示することはできません。",
    keepNow: "今すぐ保存してください。",
    keepInTab: (left) => `今すぐ保存してください。このタブでは再表示できます（残り${left}）。`,
    keepInBrowser: (left) => `今すぐ保存してください。このブラウザでは再表示できます（残り${left}）。`,
    timeLeft: "残り時間",
    find: "ファイルを検索",
    noneFound: "その名前のファイルはありません。",
    showMore: (count) => plural(count, { other: "さらに{n}個表示" }),
    left: (left) => plural(left, { other: "このリンクはあと{n}回開封できます。" }),
    noFiles: "ファイルはなく、フォルダだけが入っています。",
    longText: "表示しているのは冒頭だけです。コピーやダウンロードでは全文を取得できます。",
    textFile: "secret.txt",
    cannotOpen: "この機密情報は開封できません",
    undecryptable:
      "復号できません。リンクかパスフレーズが合わないか、内容が書き換えられています。送り直してもらってください。",
    unsafe:
      "この機密情報のアーカイブは展開できません。安全でないか、特殊な形式か、ファイルが多すぎます。送り直してもらってください。",
    damaged:
      "このアーカイブは壊れているため、中のファイルを表示できません。そのままダウンロードすることはできます。送り直してもらってください。",
    refused: {
      version: "この機密情報の形式に、このページは対応していません。管理者に知らせてください。",
      settings:
        "この機密情報は、開封に非常に時間がかかるおそれのある設定で暗号化されているため、このページでは開封しません。handoffで送り直してもらってください。",
      otherwise:
        "この機密情報は別の鍵に合わせて暗号化されているため、このページでは開封できません。送り直してもらってください。",
    },
    erase: "消去して終了",
    erasing: "消去中…",
    eraseFirst: (rest) => ({
      title: "機密情報を保存せずに消去しますか？",
      text: `まだコピーも保存もしていない内容があります。${rest}`,
      confirm: "消去する",
    }),
    notAgain: "もう一度表示することはできません。",
    maybeNotAgain: "もう一度開封できるとは限りません。",
    notErased: "サーバーに消去を伝えられませんでした。もう一度試すか、残り時間がなくなるまでお待ちください。",
    erased: {
      title: "消去しました",
      text: "機密情報は、サーバーとこのページから消去されました。ページを閉じてかまいません。",
    },
    erasedHere: (rest) => ({ title: "ここから消去しました", text: `機密情報はこのページから消去されました。${rest}` }),
    canClose: "ページを閉じてかまいません。",
  },
  ended: {
    titles: {
      opened: "この機密情報は開封済みです",
      openedByYou: "自分で開封した機密情報です",
      expired: "この機密情報は期限切れです",
    },
    claimed: (when) => ({
      text: `${dated(when)}開封されました。`,
      warning: "心当たりがなければ、送信者に知らせてください。ほかの人の手に渡った可能性があります。",
    }),
    claimedTimes: (times, when) => ({
      text:
        times === 1
          ? `${dated(when)}開封されました。`
          : plural(times, { other: `{n}回開封されています。最後は${when}です。` }),
      warning: "心当たりがなければ、送信者に知らせてください。ほかの人の手に渡った可能性があります。",
    }),
    claimLost: (when, asked) => ({
      text: `${dated(when)}開封されました。このタブは${dated(asked)}開封しようとしましたが、応答が届きませんでした。送信者に送り直してもらってください。`,
      warning: "2つの時刻が違うときは、ほかの人の手に渡った可能性があります。",
    }),
    openedElsewhere: (time) => `このブラウザの別のタブで、${time}に開封しました。`,
    askedElsewhere: {
      title: "別のタブで開封しています",
      text: "別のタブが開封を始めましたが、まだ応答が届いていません。",
    },
    again: (left) => `再表示できます（残り${left}）。`,
    openedHere: (when) => `${dated(when)}開封しました。もう一度必要な場合は、送信者に連絡してください。`,
    openedOneOfSeveral: (when, left) =>
      plural(left, {
        other: `${dated(when)}開封しました。最後にここで確認したとき、リンクはあと{n}回開封できました。メッセージにあるリンクを、もう一度開いてください。`,
      }),
    expired: (when) => `${dated(when)}期限が切れました。送信者に新しいリンクを送ってもらってください。`,
    neverOpened: (when) =>
      `一度も開封されないまま、${dated(when)}期限が切れました。送信者に新しいリンクを送ってもらってください。`,
    revoked: (when) => ({
      title: "この機密情報は取り消されました",
      text: `${dated(when)}取り消されました。必要な場合は、送信者に連絡してください。`,
    }),
  },
});
