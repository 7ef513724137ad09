import type { texts as english } from "../en/people.ts";
import type { Translation } from "../translations.ts";

/** What the screens say about the people whom a secret or a request is for, in Japanese. */
export const texts: Translation<typeof english> = ({ plural }) => ({
  people: {
    whoOpens: "だれが開封できますか？",
    whoHandsIn: "だれが提出できますか？",
    everyone: "リンクを知っている全員",
    hint: "メールアドレスを入力します。*@example.comで、そのドメインの全員を指定できます。",
    worth:
      "サーバーは、アドレスにメールで送るコードで確認します。サーバーの運営者はこの確認を省くこともできるため、リンクは秘密にしてください。",
    only: "指定した人のみ",
    remove: (address) => `${address}を削除`,
    wrong: "アドレスではありません。ann@example.comのように入力してください。",
    tooMany: (most) => `指定できるのは${most}件までです。`,
    required: "チームのルールにより、相手を指定する必要があります。",
    onlyAt: (domains: string) => `チームのルールにより、次のドメインの人だけを指定できます：${domains}。`,
    refused: "サーバーが受け付けないアドレスがあります。確認してください。",
    chosen: "開封・提出できる人",
    lede: (times, when) =>
      times === 1
        ? `指定した人だけが、${when}まで1回だけ開封できます。このリンクは再表示できません。`
        : plural(times, {
            other: `指定した人だけが、${when}まで{n}回開封できます。このリンクは再表示できません。`,
          }),
    asked: "依頼しました",
    opened: (address) => `${address}が開封（アドレス確認済み）`,
    handedIn: (address) => `${address}が提出（アドレス確認済み）`,
    refusedOne: (address) => `リンクを持つ人が${address}を入力しましたが、指定されたアドレスを確認できませんでした`,
    refusedUnnamed: "リンクを持つ人が、指定されたアドレスを確認できませんでした",
  },
});
