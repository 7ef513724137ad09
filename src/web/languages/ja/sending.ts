import type { texts as english } from "../en/sending.ts";
import type { Translation } from "../translations.ts";
import { dated } from "./times.ts";

/** What the screens say on which a secret is sent or asked for, in Japanese. */
export const texts: Translation<typeof english> = ({ plural }) => ({
  wrongCount: (most) => (most === 1 ? "指定できるのは1だけです。" : `1から${most}までの整数を入力してください。`),
  send: {
    lede: "このブラウザの中で暗号化され、相手に渡すリンクができます。",
    policy: (lifetime, times, passphrase) =>
      times === 1
        ? `開封は1回だけ · 有効期間${lifetime} · ${passphrase}`
        : plural(times, { other: `開封は{n}回まで · 有効期間${lifetime} · ${passphrase}` }),
    withoutPassphrase: "パスフレーズなし",
    withPassphrase: "パスフレーズあり",
    claims: "開封できる回数",
    passphrase: "パスフレーズ（任意）",
    passphraseHint: "受け取る人にも必要です。電話や別のアプリで伝えてください。",
    trimmed: "先頭と末尾の空白は無視されます。",
    blankPassphrase: "空白しか入力されていません。空欄にするか、パスフレーズを入力してください。",
    suggest: "候補を作成",
    strength: (bits) => `ランダムに選んだ単語です（乱数${bits}ビット）。`,
    guessable:
      "短いパスフレーズや単純なパスフレーズは、リンクを手に入れた人に推測されるおそれがあります。「候補を作成」で作れるような、ランダムな単語の組み合わせのほうが安全です。",
    makePassword: "パスワード生成",
    passwordMade: (bits) => `ランダムなパスワードを追加しました（${bits}ビット）`,
    showName: (name) => `${name}からであることを相手に伝える`,
    showNameHint: "伝えない場合、受け取る人には送信者がわかりません。",
    canceled: {
      revoked: "キャンセルしました。すでにサーバーに届いていたため、取り消しました。だれも開封できません。",
      absent: "キャンセルしました。サーバーには何も保存されていません。",
      unknown:
        "キャンセルしましたが、サーバーに届いている可能性があります。「履歴」に未開封として表示されていたら、そこで取り消してください。リンクはだれも持っていないため、開封されることはありません。",
    },
    button: "リンクを作成",
  },
  ticket: {
    label: "チケット番号（任意）",
    hint: (example) => `例：${example}。暗号化されずにサーバーに保存され、チームのメンバーにも見えます。`,
    wrong: (example) => `${example}のように入力するか、空欄にしてください。`,
    required: {
      label: "チケット番号",
      asked: "チームの決まりで、チケット番号が必要です。",
      missing: (example) => `チームの決まりで、${example}のようなチケット番号が必要です。`,
    },
    name: (ticket) => `チケット ${ticket}`,
    text: "チームのメンバーには見えます。リンクだけを持つ人には見えません。",
    only: (ticket) => `${ticket}だけを表示`,
    none: (ticket) => `${ticket}に関するものはありません。`,
  },
  terms: {
    change: "変更",
    unclear: "設定を確認してください",
    lifetime: "有効期間",
    other: "その他…",
    unit: "単位",
    once: "1回",
    times: (count) => plural(count, { other: "{n}回" }),
    allowed: (most) => `チームの決まりで、${most}までです。`,
    ruled: "チームの決まりで許可されていません。設定を変えるか、管理者に問い合わせてください。",
    wrongLifetime: (least, most) => `${least}から${most}までの期間を入力してください。`,
  },
  link: {
    copy: "リンクをコピー",
    code: "QRコード",
    hideCode: "コードを隠す",
    codeOf: "リンクのQRコード",
    scan: "スマートフォンで読み取れます",
    share: "共有…",
    copyMessage: "文面をコピー",
  },
  sent: {
    title: "リンクができました",
    lede: (times, when) =>
      times === 1
        ? `リンクを知っている人ならだれでも、${when}まで1回だけ開封できます。このリンクは再表示できません。`
        : plural(times, {
            other: `リンクを知っている人ならだれでも、${when}まで{n}回開封できます。このリンクは再表示できません。`,
          }),
    ledeWithPassphrase: (times, when) =>
      times === 1
        ? `受け取る人には、このリンクとパスフレーズの両方が必要です。${when}まで1回だけ開封できます。このリンクは再表示できません。`
        : plural(times, {
            other: `受け取る人には、このリンクとパスフレーズの両方が必要です。${when}まで{n}回開封できます。このリンクは再表示できません。`,
          }),
    passphraseApart: "パスフレーズは別の方法で伝えてください。",
    passphraseText: "電話で伝えるか、別のアプリで送ってください。",
    name: "自分用の名前",
    nameHint: "ほかの人には見えません。",
    nameExample: "例：ゲスト用Wi-Fi",
    saveName: "保存",
    nameSaved: "保存済み",
    hidden: "非表示",
    copyPassphrase: "パスフレーズをコピー",
    copiedPassphrase: "パスフレーズをコピーしました",
    link: "リンク",
    messageText: (link, times, when) =>
      times === 1
        ? `機密情報をお送りします。${when}まで、1回だけ開封できます。\n${link}`
        : plural(times, { other: `機密情報をお送りします。${when}まで、{n}回開封できます。\n${link}` }),
    passphraseFollows: "開封にはパスフレーズも必要です。別の方法でお伝えします。",
    live: "現在の状況",
    notYet: "まだだれも開封していません",
    more: "もう1件送る",
    revoke: "取り消す",
    claimedTitle: "機密情報が開封されました",
    claimedText: (when) => `${dated(when)}開封されました。リンクはもう使えません。`,
    expiredTitle: "機密情報の期限が切れました",
    expiredText: (when) => `${dated(when)}期限が切れました。リンクはもう使えません。`,
    revokedTitle: "機密情報が取り消されました",
    revokedText: "リンクはもう使えません。",
  },
  ask: {
    lede: "相手に送るリンクができます。提出にアカウントは要りません。",
    note: "何が必要ですか？（任意）",
    placeholder: "例：ステージング用データベースのパスワード（ユーザー「app」）",
    noteHint: "リンクを知っている人ならだれでも読めます。サーバーには読めません。",
    policy: (lifetime, count) => plural(count, { other: `受け付けは{n}件まで · 有効期間${lifetime}` }),
    count: "提出できる件数",
    form: {
      title: "入力フォーム",
      templates: {
        free: "自由入力",
        login: "ログイン情報",
        database: "データベース",
        "ssh-key": "SSH鍵",
        "api-token": "APIトークン",
        own: "項目を自分で作る",
      },
      fields: "入力項目",
      names: {
        user: "ユーザー名",
        password: "パスワード",
        host: "ホスト",
        port: "ポート",
        database: "データベース",
        key: "秘密鍵",
        token: "APIトークン",
      },
      name: (position) => `項目${position}の名前`,
      namePlaceholder: "項目名",
      kind: (position) => `項目${position}の種類`,
      kinds: { text: "テキスト", password: "パスワード", multiline: "複数行" },
      add: "項目を追加",
      remove: (position) => `項目${position}を削除`,
      nameless: "項目名を入力するか、この項目を削除してください。",
      badName: "文字、数字、空白で1～64文字にしてください。「:」と「=」は使えません。",
      mixedName: "1つの単語にラテン文字とキリル文字などが混ざっています。どちらかにそろえてください。",
      sameName: "同じ名前の項目がすでにあります。",
    },
    showName: (name) => `${name}からの依頼であることを示す`,
    showNameHint: "示さない場合、リンクを受け取る人には依頼者がわかりません。",
    button: "依頼リンクを作成",
    busy: "リンクを作成中…",
  },
  asked: {
    title: "依頼リンクができました",
    lede: "機密情報を持っている人に送ってください。",
    link: "依頼リンク",
    copy: "依頼リンクをコピー",
    messageText: (link, when) =>
      `${when}までに、こちらから機密情報の提出をお願いします。アカウントは要りません。読めるのは私だけです。\n${link}`,
    accepts: (most, when) => plural(most, { other: `${when}まで、機密情報を{n}件受け付けます。` }),
    kept: "提出された内容を開封できるのは、このブラウザだけです。",
    keptText: "秘密鍵は、サインアウトするまでここに保存されます。",
    notKept: "このブラウザには秘密鍵を保存できません。",
    notKeptText: "下のバックアップを保存しないと、提出された内容をだれも開封できません。",
    fulfilledTitle: "すべて提出されました",
    fulfilledText: (when) => `${dated(when)}提出されました。リンクではもう提出できません。`,
    expiredTitle: "依頼の期限が切れました",
    expiredText: (when) => `${dated(when)}期限が切れました。リンクではもう提出できません。`,
    revokedTitle: "依頼が取り消されました",
    revokedText: (when) => `${dated(when)}取り消されました。リンクではもう提出できません。`,
    backup: {
      title: "鍵のバックアップを保存",
      kept: "別のブラウザでこの依頼を開くためのものです。人に渡さないでください。",
      notKept: "このページを閉じる前に保存してください。人に渡さないでください。",
      text: "サインインしているブラウザなら、このファイルで提出された内容を開封できます。安全な場所に保管してください。",
      warning: "秘密鍵が入っているので、絶対に人に送らないでください。",
      save: "鍵ファイルを保存",
      file: (link) =>
        `これはhandoffで作成した依頼の秘密鍵です。\n提出された内容を開封するには、サインインしているブラウザでこのリンクを開いてください。\n絶対に人に送らないでください。\n\n${link}\n`,
      show: "テキストで表示",
      sure: "バックアップリンクには秘密鍵が含まれています。画面をほかの人に見られないようにし、絶対に人に送らないでください。",
      showNow: "リンクを表示",
      link: "バックアップリンク",
    },
    more: "もう1件依頼",
    live: "現在の状況",
  },
});
