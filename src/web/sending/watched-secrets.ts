import { useEffect, useState } from "preact/hooks";
import { getSecret } from "../../client/secrets.ts";
import type { Secret } from "../../contract/secrets.ts";
import { printable } from "../parts/printable.ts";
import type { Person } from "../service/clients.ts";
import { useLive } from "../service/live.ts";
import type { Live } from "../service/live.ts";
import { may } from "../service/scopes.ts";
import { stateOfSecret } from "../service/states.ts";
import { useTabNews } from "../service/tab-news.ts";
import type { TabNews } from "../service/tab-news.ts";
import { ACTIVITY } from "../texts/activity.ts";

const { activity: words } = ACTIVITY;

/** The current state of a secret. */
export interface WatchedSecret {
  readonly secret: Secret;
  readonly live: Live<Secret>;
}

/** Follows the state of a secret of `person`. The title of the tab reports when it is opened. */
export function useSecret(person: Person, first: Secret, label: string): WatchedSecret {
  const { id } = first;
  const live = useLive(person, () => getSecret(person.client, id), {
    key: id,
    isNews: true,
    isOff: !may(person, "secrets:read"),
  });
  const secret = live.value ?? first;
  const [news, setNews] = useState<TabNews | undefined>(undefined);
  useEffect(() => {
    if (secret.claims > 0) setNews({ text: words.news(printable(label) || words.secret, stateOfSecret(secret).text) });
  }, [secret.claims]);
  useTabNews(news);
  return { secret, live };
}
