import type { texts as english } from "../en/landing.ts";
import type { Translation } from "../translations.ts";

/** What the start page says, and what signing in and out says, in Japanese. */
export const texts: Translation<typeof english> = ({ plural }) => ({
  contact: "お困りの場合の連絡先:",
  signIn: {
    title: "サインイン",
    lede: "管理者があなたのために作成したリンクです。",
    already:
      "このブラウザではすでにサインインしています。続けると、このリンクの対象者としてのサインインに切り替わります。",
    once: "このリンクは1回だけ使えます",
    lasts: "その後は一定の期間、このブラウザでサインインしたままになります。",
    own: "自分の端末でだけ使ってください",
    shared: "共用のパソコンでは、使い終わったらサインアウトしてください。",
    asWhom: "サインイン後に、だれとしてサインインしたかが表示されます。",
    button: "サインイン",
    busy: "サインイン中…",
    stay: "切り替えない",
    signedIn: "サインインしています",
    goOn: "続ける",
    signedInAs: (name, team) => `${name}（${team}）としてサインインしています。`,
    until: (when) => `サインインの有効期限は${when}です。`,
    notYou: "サインアウト",
    faults: {
      missing: {
        title: "サインイン",
        text: "管理者から届いたサインインリンクを、#より後ろも含めて開いてください。",
      },
      cut: {
        title: "サインインリンクが途中で切れています",
        text: "管理者のメッセージからリンク全体をコピーしてください。",
      },
      long: {
        title: "サインインリンクに余分な文字があります",
        text: "余分な文字を含めずに、もう一度コピーしてください。",
      },
      mistyped: {
        title: "サインインリンクが間違っています",
        text: "管理者のメッセージからもう一度コピーしてください。",
      },
    },
    needsHttps: {
      title: "このブラウザでのサインインにはHTTPSが必要です",
      text: "アドレスがhttpで始まっています。Safariなど一部のブラウザは、HTTPSでしかサインインを維持できません。ChromeかFirefoxでリンクを開くか、HTTPSのアドレスを管理者に用意してもらってください。リンクはここでは使われていません。",
    },
    noCookie: {
      title: "このブラウザではサインインを維持できません",
      text: "このページのCookieが拒否されています。このアドレスのCookieを許可し、サインインリンクをもう一度開いてください。使えなくなっている場合は、管理者に新しいリンクを発行してもらってください。",
    },
    refused: {
      title: "このサインインリンクは使えません",
      text: "期限が切れたか、使用、交換、または無効化されています。管理者に新しいリンクを発行してもらってください。",
    },
    keepTab: "リンクはすでに使われた可能性があります。その場合は、このタブでのみ使えます。",
  },
  signOut: {
    stillSignedIn: {
      title: "まだサインインしています",
      text: "サーバーに接続できません。接続を確認し、もう一度サインアウトしてください。",
    },
    unsavedElsewhere: {
      title: "サインアウトしますか？",
      text: "別のタブに、未送信のテキストかコピーしていないリンクがあります。サインアウトすると失われます。",
      confirm: "サインアウト",
    },
    losesKeys: (keys, toCollect) => ({
      title: "サインアウトしますか？",
      text: [
        plural(keys, {
          other:
            "依頼{n}件の秘密鍵がこのブラウザから削除されます。バックアップがなければ、提出された内容をだれも開封できません。",
        }),
        toCollect > 0 ? plural(toCollect, { other: "受け取り待ちの機密情報が{n}件あります。" }) : "",
      ]
        .filter(Boolean)
        .join(""),
      confirm: "サインアウト",
    }),
    keysLeft: {
      title: "サインアウトしました",
      text: "依頼の秘密鍵がこのブラウザから削除されませんでした。ブラウザの設定で、このサイトのデータを消去してください。",
    },
  },
  landing: {
    title: "機密情報を安全に送る",
    lede: "パスワードや鍵、ファイルをブラウザで暗号化します。サーバーは読み取れません。",
    link: "リンクを受け取りましたか？",
    placeholder: "ここに貼り付け",
    hint: "貼り付けただけでは開封されません。次の画面で決められます。",
    steps: {
      encrypted: {
        title: "端末で暗号化",
        text: "鍵はリンクの中に入っています。サーバーに渡ることはありません。",
      },
      kept: {
        title: "開封されるまで保管",
        text: "期限まで、送信者が決めた回数（既定では1回）だけ開封できます。",
      },
      opened: {
        title: "渡したら削除",
        text: "いつ開封されたかが送信者にわかります。",
      },
    },
    send: "送りたいものがありますか？",
    signIn: "管理者から届いたサインインリンクを開いてください。",
    signInByAdmin:
      "管理者から届いたサインインリンクを開いてください。アカウントがない場合は、管理者に連絡してください。",
    contact: "アカウントがない場合や質問の連絡先:",
    commandLine: "コマンドラインとAPI",
    commandLineText: "管理者から受け取ったAPIキーがあれば、ターミナルやプログラムでもhandoffを使えます。",
    docs: "APIドキュメント",
    manual: "マニュアルを読む（英語）",
  },
});
