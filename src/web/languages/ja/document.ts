import type { texts as english } from "../en/document.ts";

/** What a document says without its script, in Japanese. */
export const texts: typeof english = {
  noScript: {
    title: "このページにはJavaScriptが必要です",
    text: "JavaScriptを有効にして、ページを再読み込みしてください。ブラウザーの中で復号するために使います。または、最新のChrome、Edge、Firefox、Safariでリンクを開いてください。",
  },
  late: {
    title: "ページがまだ読み込まれていません",
    text: "一部がまだ届いていないか、届きませんでした。ページを再読み込みしてください。それでも表示されないときは、JavaScriptがブロックされている可能性があります。別のブラウザーでリンクを開いてください。",
  },
  nowhere: {
    title: "このアドレスには何もありません",
    text: "入力ミスがあるか、途中で切れている可能性があります。リンク全体をもう一度コピーしてください。",
    start: "最初のページへ",
  },
  mailOff: {
    title: "これらのメールをオフにしますか？",
    text: "送信したものと依頼したものの状況をお知らせします。",
    button: "オフにする",
  },
  mailIsOff: { title: "メールはオフです", text: "アカウントでもう一度オンにできます。" },
  mailOffStale: {
    title: "このリンクではオフにできません",
    text: "リンクが途中で切れているか、その後メールが再びオンになりました。最新のメールのリンクを使うか、アカウントで選んでください。",
  },
};
