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
  proofAsked: "{server} のリンクを持つ人が、このアドレスの持ち主であることを示すためのコードをリクエストしました。",
  proofValidity: "リクエストした場所で、{minutes} 分間、1 回だけ使えます。",
  proofWarning:
    "このコードをお尋ねすることは決してありません。{server} のページか、リンクを使っているターミナル以外では入力しないでください。",
  proofIgnore:
    "お心当たりがない場合は、このメールを無視し、コードを誰にも教えないでください。このリンクは選ばれた人だけのもので、コードがなければ誰も先へ進めません。",
  opened: "送信したものが開かれました",
  openedLine: "{sent} に送信したものが、{at} に開かれました。",
  openedAdvice: "受取人でない場合は、その中のパスワードや鍵を変更してください。",
  ending: "送信したものがまだ開かれていません",
  endingLine: "{sent} に送信したものは、まだ開かれていません。{at} に期限が切れます。",
  endingAdvice: "受取人に知らせるか、「履歴」で期限を延ばしてください。",
  handedIn: "依頼したものが提出されました",
  handedInLine: "{at} に、{sent} に依頼したものが提出されました。",
  handedInAdvice: "依頼したときのブラウザーで、「履歴」から受け取ってください。",
  approval: "承認を待っている人がいます",
  approvalLine: "{sent} に送信されたものを開こうとしている人がいます。{at} まで承認を待っています。",
  approvalAdvice:
    "心当たりのある相手に電話をかけ、どの単語が表示されているかを尋ねてください。そのうえで、「履歴」で承認または拒否してください。",
  approvalWords: "相手に表示されている単語：{words}",
  approvalAddress: "確認済みのアドレス：{address}",
  approvalNobody: "アドレスは確認されていません。",
  several: "送信と依頼のお知らせ",
  more: "ほかに {count} 件あります。すべて「履歴」に表示されます。",
  ticket: "チケット：{ticket}",
  idEnd: "ID の末尾は {id} です。",
  activity: "履歴：",
  off: "このメールは、お知らせがオンになっているため届いています。オフにする：",
  passkey: "アカウントにパスキーが追加されました",
  passkeyLine:
    "{server} にあなたとしてサインインしていた人が、アカウントにパスキーを追加しました。今後このパスキーであなたとしてサインインできます。",
  passkeyBrowser: "追加元：",
  passkeyAdvice:
    "お心当たりがない場合は、アカウントでそのパスキーを削除し、ほかの場所からすべてサインアウトして、管理者に知らせてください。",
  account: "アカウント：",
};
