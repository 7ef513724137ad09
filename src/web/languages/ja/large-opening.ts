import type { texts as english } from "../en/large-opening.ts";
import type { Translation } from "../translations.ts";

/** What the screens of a large secret that is opened say, in Japanese. */
export const texts: Translation<typeof english> = () => ({
  largeOpening: {
    noRoom: (size) =>
      `このブラウザには${size}を保存する空きがありません。空き容量を増やしてこのページを再読み込みするか、コマンド「handoff open」でリンクを開いてください。機密情報はまだ開封していません。`,
    noRoomToCollect: (size) =>
      `このブラウザには${size}を保存する空きがありません。空き容量を増やしてもう一度試すか、コマンドラインで「handoff collect -」と入力し、この依頼のバックアップリンクを貼り付けて開封してください。`,
    unable:
      "このブラウザには、これほど大きな機密情報を保存できません。プライベートウィンドウでは保存できないことがよくあります。受け取った場所からリンクをコピーして、別のブラウザか、コマンド「handoff open」で開いてください。機密情報はまだ開封していません。",
    locked:
      "サーバーは機密情報をこのタブに渡しました。まだパスフレーズで保護されています。開封するまで、このタブを閉じないでください。",
    progressLabel: "開封中",
    progress: (done, total) => `${done}／${total}`,
    rate: (size) => `${size}/秒`,
    left: (time) => `残り${time}`,
    keepOpen: "すべて届くまで、このタブを閉じないでください。",
    stop: "中止",
    stopped: "中止しました。届いていた分は削除しました。",
    unwritable:
      "このブラウザに機密情報を保存できません。ディスクがいっぱいの可能性があります。届いていた分は削除しました。",
    again: (time) => `${time}まで、このタブでもう一度開封できます。`,
    damaged: "この機密情報は途中で切れているか、変更されているため、何も表示しません。送り直してもらってください。",
    saveAll: "すべて保存",
    zipping: (percent) => `ZIPを作成中… ${percent}%`,
    stored: "このページを閉じるまで、このブラウザが端末に保存しています。ダウンロードが終わるまで閉じないでください。",
    gone: "このブラウザにはもうファイルがありません。時間が残っていれば、このページを再読み込みすると、もう一度取得できます。",
  },
});
