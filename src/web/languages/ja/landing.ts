import type { texts as english } from "../en/landing.ts";
import type { Translation } from "../translations.ts";
import { dated } from "./times.ts";

/** What the start page says, and what signing in and out says, in Japanese. */
export const texts: Translation<typeof english> = ({ plural }) => ({
  contact: "お困りのときの連絡先：",
  signIn: {
    title: "サインイン",
    lede: "管理者があなたのために発行したリンクです。",
    already:
      "このブラウザではすでにサインインしています。続けると、このリンクが発行された人のアカウントに切り替わります。依頼の秘密鍵は、サインアウトするまでこのブラウザに残ります。",
    once: "リンクは1回だけ使えます。共用のパソコンでは、使い終わったらサインアウトしてください。",
    button: "サインイン",
    busy: "サインイン中…",
    stay: "切り替えない",
    signedIn: "サインインしています",
    goOn: "続ける",
    signedInAs: (name, team) => `${name}（${team}）としてサインインしました。`,
    until: (when) => `使わないままでいると、${dated(when)}自動でサインアウトします。`,
    notYou: "サインアウト",
    faults: {
      missing: {
        title: "サインイン",
        text: "管理者から届いたサインインリンクを、#以降も含めて開いてください。",
      },
      cut: {
        title: "サインインリンクが途中で切れています",
        text: "管理者のメッセージから、リンク全体をコピーしてください。",
      },
      long: {
        title: "サインインリンクに余分な文字があります",
        text: "余分な文字を除いて、コピーし直してください。",
      },
      mistyped: {
        title: "サインインリンクに誤りがあります",
        text: "管理者のメッセージから、コピーし直してください。",
      },
    },
    needsHttps: {
      title: "このブラウザでのサインインにはHTTPSが必要です",
      text: "アドレスがhttpで始まっています。Safariなど一部のブラウザは、HTTPSでないとサインインしたままにできません。リンクをChromeかFirefoxで開くか、管理者にHTTPSのアドレスを聞いてください。リンクはここでは使われていません。",
    },
    noCookie: {
      title: "このブラウザではサインインを維持できません",
      text: "ブラウザがこのページのCookieを拒否しています。このアドレスのCookieを許可して、サインインリンクをもう一度開いてください。使えなくなっていたら、管理者に新しいリンクを発行してもらってください。",
    },
    refused: {
      title: "このサインインリンクは使えません",
      text: "期限が切れたか、使用済みか、新しいリンクに替わったか、無効にされています。管理者に新しいリンクを発行してもらってください。",
    },
    passkey: {
      button: "パスキーを使う",
      unknown:
        "このパスキーはここでは使えません。削除された可能性があります。別のパスキーを使うか、管理者にサインインリンクを発行してもらってください。",
      late: "時間がかかりすぎました。もう一度お試しください。",
      unusable: "このブラウザでは、ここでパスキーを使えません。管理者から届いたサインインリンクを開いてください。",
      noCookie:
        "ブラウザがこのページのCookieを拒否しています。このアドレスのCookieを許可して、もう一度お試しください。",
    },
    keepTab: "リンクはすでに使われた可能性があります。その場合は、このタブでだけ使えます。",
  },
  signOut: {
    stillSignedIn: {
      title: "まだサインインしています",
      text: "サーバーに接続できません。接続を確認して、もう一度サインアウトしてください。",
    },
    unsavedElsewhere: {
      title: "サインアウトしますか？",
      text: "別のタブに、送信していないテキストか、コピーしていないリンクがあります。サインアウトすると失われます。",
      confirm: "サインアウト",
    },
    losesKeys: (keys, toCollect) => ({
      title: "サインアウトしますか？",
      text: [
        plural(keys, {
          other:
            "このブラウザから、依頼{n}件の秘密鍵が削除されます。バックアップがなければ、提出された内容をだれも開封できません。",
        }),
        toCollect > 0 ? plural(toCollect, { other: "受け取り待ちの機密情報が{n}件あります。" }) : "",
      ]
        .filter(Boolean)
        .join(""),
      confirm: "サインアウト",
    }),
    keysLeft: {
      title: "サインアウトしました",
      text: "依頼の秘密鍵を、このブラウザから削除できませんでした。ブラウザの設定で、このサイトのデータを消去してください。",
    },
  },
  nothingAllowed: {
    title: "送信も依頼もまだできません",
    text: "サインインしていますが、送信も依頼も履歴の表示も許可されていません。管理者に相談してください。",
  },
  landing: {
    title: "機密情報を安全に送る",
    lede: "パスワードも鍵もファイルも、ブラウザの中で暗号化します。サーバーには読めません。",
    link: "リンクが届いたら、ここに貼り付け",
    hint: "開封する前に、確認画面が表示されます。",
    steps: {
      encrypted: {
        title: "手元で封をする",
        text: "暗号化するのは、お使いのブラウザです。鍵はリンクに入り、サーバーには届きません。",
      },
      kept: {
        title: "開封は1回だけ",
        text: "送信者が増やさない限り、1回だけ開封できます。その後、サーバーから削除されます。",
      },
      opened: {
        title: "開封がわかる",
        text: "いつ開封されたかが、送信者に伝わります。",
      },
    },
    signIn: "送るには、管理者から届いたサインインリンクを開いてください。",
    signInByAdmin: "送るには、サインインリンクが必要です。管理者に発行してもらってください。",
    withoutPasskey: "パスキーがまだない場合は、管理者から届いたサインインリンクを開いてください。",
    withoutPasskeyByAdmin: "パスキーがまだない場合は、管理者にサインインリンクを発行してもらってください。",
    contact: "アカウントがない場合やご質問の連絡先：",
    commandLine: "コマンドラインとAPI",
    commandLineText: "管理者から受け取ったAPIキーがあれば、ターミナルやプログラムからもhandoffを使えます。",
    docs: "APIドキュメント",
  },
});
