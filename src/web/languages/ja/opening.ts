import type { texts as english } from "../en/opening.ts";
import type { Translation } from "../translations.ts";
import { dated } from "./times.ts";

/** What the screens of a secret that is opened say, in Japanese. */
export const texts: Translation<typeof english> = ({ plural }) => ({
  open: {
    title: "機密情報が届いています",
    titleBySender: "あなた宛ての機密情報です",
    files: (count) => plural(count, { other: "ファイル{n}個" }),
    both: (count) => plural(count, { other: "テキストとファイル{n}個" }),
    times: (left) => (left === 1 ? "開封できるのは1回だけです。" : plural(left, { other: "{n}回まで開封できます。" })),
    moreTimes: (left) => plural(left, { other: "あと{n}回開封できます。" }),
    lastTime:
      "その後は、だれもこのリンクを使えません。パスワードマネージャーなど、安全な保存先を用意しておいてください。",
    oneOfSeveral: "開封すると1回と数えられます。",
    until: (when) => `有効期限は${when}です。`,
    getPassphrase: "先に、送信者からパスフレーズを聞いてください。",
    tryAgain: "開封すると、機密情報がこのタブに届きます。その後はここで何度でも試せます。",
    taken: "このリンクは開封済みです。タブを閉じずに、パスフレーズを入力してください。",
    takenHere:
      "このリンクは開封済みです。このブラウザには保存できないため、機密情報を読むまでタブを閉じたり再読み込みしたりしないでください。",
    notYet: "機密情報はまだ開封していません。",
    maybe: "サーバーがすでに機密情報を渡した可能性があります。このタブですぐにもう一度お試しください。",
    maybeTrying: "サーバーがすでに機密情報を渡した可能性があります。このタブで再試行しています。閉じないでください。",
    refusedTrying: "サーバーは、何も渡していないと応答しました。このタブで再試行しています。",
    emptyPassphrase: "先にパスフレーズを入力してください。",
    spaces: "先頭か末尾に空白があります。そのままで合わなければ、その空白を除いて試します。",
    wrongPassphrase: "パスフレーズが違います。確認して、もう一度お試しください。",
    passphraseMissing: "パスフレーズも必要です。送信者に聞くか、このリンクを元のリンクと見比べてください。",
    beWary: "心当たりがない場合は、開封する前に、このリンクをくれた人に確認してください。",
    beWaryOf: (name) => `${name}から届く心当たりがない場合は、開封する前に確認してください。`,
    button: "開封する",
    opening: (percent) => (percent < 100 ? `開封中… ${percent}%` : "開封中…"),
  },
  opened: {
    text: "機密情報",
    file: "ファイル",
    from: (name) => `送信者: ${name}`,
    theTextIsHidden: "テキストは非表示です",
    hidden: "非表示",
    lines: (count) => plural(count, { other: "テキスト、{n}行" }),
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
    saveAll: "ZIPで保存",
    saved: (size) => `${size} · ダウンロード済み`,
    archive: "secret.zip",
    notZipped: "ZIPを作成できません。接続を確認するか、ファイルを1つずつダウンロードしてください。",
    preview: (name) => `${name}のプレビュー`,
    noPreview: "このブラウザでは表示できません。ダウンロードしてください。",
    more: (count) => plural(count, { other: "ZIPにはほかに{n}個のファイルがあります。" }),
    keep: "必要なものを今すぐ保存してください。もう一度表示することはできません。",
    keepNow: "必要なものを今すぐ保存してください。",
    keepInTab: (left) => `必要なものを今すぐ保存してください。このタブでは、あと${left}の間、もう一度表示できます。`,
    keepInBrowser: (left) =>
      `必要なものを今すぐ保存してください。このブラウザでは、あと${left}の間、もう一度表示できます。`,
    left: (left) => plural(left, { other: "このリンクはあと{n}回開封できます。" }),
    noFiles: "ファイルはなく、フォルダだけが含まれています。",
    longText: "表示しているのは冒頭だけです。コピーとダウンロードでは全文を保存できます。",
    textFile: "secret.txt",
    cannotOpen: "この機密情報は開封できません",
    undecryptable:
      "復号できません。リンクかパスフレーズが一致しないか、内容が書き換えられています。もう一度送ってもらってください。",
    unsafe:
      "この機密情報のアーカイブを展開できません。安全でないか、特殊な形式か、ファイルが多すぎます。もう一度送ってもらってください。",
    damaged:
      "このアーカイブは破損しているため、中のファイルを表示できません。そのままダウンロードして、もう一度送ってもらってください。",
    refused: {
      version: "この機密情報の形式に、このページは対応していません。サーバーの管理者に知らせてください。",
      settings:
        "この機密情報は、開封に非常に時間がかかるおそれのある設定で暗号化されているため、このページでは開封しません。handoffでもう一度送ってもらってください。",
      otherwise:
        "この機密情報は別の鍵に向けて暗号化されているため、このページでは開封できません。もう一度送ってもらってください。",
    },
    erase: "今すぐ消去",
    erasing: "消去中…",
    eraseFirst: (rest) => ({
      title: "機密情報を保存せずに消去しますか？",
      text: `まだコピーも保存もしていない内容があります。${rest}`,
      confirm: "消去",
    }),
    notAgain: "もう一度表示することはできません。",
    maybeNotAgain: "もう一度開封できるとは限りません。",
    notErased: "サーバーに消去を伝えられませんでした。もう一度試すか、時間切れになるまでお待ちください。",
    erased: {
      title: "消去しました",
      text: "機密情報は、サーバーとこのページから消えました。ページを閉じてかまいません。",
    },
    erasedHere: (rest) => ({ title: "ここから消去しました", text: `機密情報はこのページから消えました。${rest}` }),
    canClose: "ページを閉じてかまいません。",
  },
  ended: {
    titles: {
      opened: "この機密情報は開封済みです",
      openedByYou: "あなたが開封した機密情報です",
      expired: "この機密情報は期限切れです",
    },
    claimed: (when) => ({
      text: `${dated(when)}開封されました。`,
      warning: "心当たりがなければ、送信者に知らせてください。ほかの人の手に渡った可能性があります。",
    }),
    claimedTimes: (times, when) => ({
      text:
        times === 1 ? `${dated(when)}開封されました。` : plural(times, { other: `{n}回開封され、最後は${when}です。` }),
      warning: "心当たりがなければ、送信者に知らせてください。ほかの人の手に渡った可能性があります。",
    }),
    claimLost: (when, asked) => ({
      text: `${dated(when)}開封されました。このタブは${dated(asked)}開封を試みましたが、応答が届きませんでした。送信者にもう一度送ってもらってください。`,
      warning: "2つの時刻が違う場合は、ほかの人の手に渡った可能性があります。",
    }),
    openedElsewhere: (time) => `${time}に、このブラウザの別のタブで開封しました。`,
    askedElsewhere: {
      title: "この機密情報を開封しています",
      text: "別のタブが開封を試みましたが、まだ応答が届いていません。",
    },
    again: (left) => `あと${left}の間、もう一度表示できます。`,
    openedHere: (when) => `${dated(when)}開封しました。もう一度必要な場合は、送信者に連絡してください。`,
    openedOneOfSeveral: (when, left) =>
      plural(left, {
        other: `${dated(when)}開封しました。最後にここで開封した時点で、リンクはあと{n}回開封できました。メッセージのリンクをもう一度開いてください。`,
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
