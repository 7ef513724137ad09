import type { texts as english } from "../en/deciding.ts";
import type { Translation } from "../translations.ts";

/** What is said where the opening of a secret has to be approved, in Japanese. */
export const texts: Translation<typeof english> = ({ number }) => ({
  deciding: {
    title: "開封を許可しますか？",
    showAll: (count) => `${number(count)}件すべて表示`,
    wants: "この機密情報の開封を求めている人がいます。",
    secret: (idEnd) => `機密情報（${idEnd}）`,
    same: "相手にも同じ言葉が表示されています。電話で確認してください。",
    who: "相手",
    sender: "送信者",
    proven: (address) => `${address}（アドレス確認済み）`,
    unproven: "リンクを持つ人（アドレス未確認）",
    teammate: (idEnd) => `チームのメンバー（ID：${idEnd}）`,
    asked: "申請",
    until: "申請の期限",
    letIn: "許可する",
    refuse: "拒否する",
    refuseLater: "許可を取り消す",
    busy: { approved: "許可しています…", refused: "拒否しています…" },
    outcomes: {
      approved: "許可しました（10分以内に1回の開封）。",
      refused: "拒否しました。相手はもう一度申請できます。",
      over: "この申請は終了しました。期限が切れたか、開封または取り消しがあったか、もう一度申請されたか、ほかの人が判断しました。",
      not_approver: "この申請は、ほかの人が判断します。",
    },
    news: (name, list) => `「${name}」の開封を求めている人がいます：${list}。`,
    approver: { title: "開封の許可", sender: "自分が判断", team: "チームのほかのメンバーが判断" },
    history: {
      asked: (who, list) => `開封の許可を申請：${who}、${list}`,
      letIn: { you: (list) => `自分が許可：${list}`, other: (list) => `チームのメンバーが許可：${list}` },
      refused: { you: (list) => `自分が拒否：${list}`, other: (list) => `チームのメンバーが拒否：${list}` },
    },
  },
});
