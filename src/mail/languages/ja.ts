import type { MailTexts } from "./texts.ts";

export const JA: MailTexts = {
  language: "ja",
  direction: "ltr",
  subject: "{server} のコード",
  asked: "このアドレスで {server} にサインインするためのコードがリクエストされました。",
  browser: "リクエスト元：",
  code: "コード：",
  codeOfTeam: "チーム {team} のコード：",
  validity: "リクエストしたブラウザーで、{minutes} 分間、1 回だけ使えます。",
  warning: "このコードをお尋ねすることは決してありません。{server} のページ以外では入力しないでください。",
  ignore: "お心当たりがない場合は、このメールを無視してください。コードがなければ誰もサインインできません。",
};
