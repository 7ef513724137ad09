import type { texts as english } from "../en/large-sending.ts";
import type { Translation } from "../translations.ts";

/** What the screens say while a secret is sent in pieces, in Japanese. */
export const texts: Translation<typeof english> = () => ({
  largeSending: {
    keepOpen:
      "データは少しずつ暗号化してから送信します。このタブを開いたままにしてください。接続が切れたり端末がスリープしたりしても、続きから再開します。",
    rate: (size) => `${size}/秒`,
    line: {
      title: "サーバーに接続できません",
      text: "接続が戻りしだい、続きから自動で再開します。このタブを開いたままにしてください。",
    },
    server: {
      title: "サーバーを待っています",
      text: "サーバーは現在利用できません。利用できるようになりしだい、続きから自動で再開します。このタブを開いたままにしてください。",
    },
    storage: {
      title: "サーバーを待っています",
      text: "サーバーは現在、何も保存できません。ディスクがいっぱいの可能性があります。保存できるようになりしだい、続きから自動で再開します。このタブを開いたままにしてください。",
    },
    tryNow: "今すぐ試す",
    stopped: "キャンセルしたため、リンクはありません。届いた分は、遅くとも 1 日後にサーバーから削除されます。",
    ended:
      "サーバーがアップロードを終了したため、リンクはありません。選んだものはそのまま残っています。もう一度送信してください。",
    stoppedHandIn: "キャンセルしたため、何も提出されていません。届いた分は、遅くとも1日後にサーバーが削除します。",
    maybeHandedIn: "キャンセルしましたが、すでに提出された可能性があります。依頼した人に確認してください。",
    endedHandIn:
      "サーバーがアップロードを終了したため、何も提出されていません。選んだ内容は残っています。もう一度提出してください。",
  },
});
