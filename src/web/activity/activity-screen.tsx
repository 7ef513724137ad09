import { useEffect, useRef, useState } from "preact/hooks";
import { pruneLabels } from "../browser/labels.ts";
import { topUrl } from "../browser/places.ts";
import { Icon } from "../frame/icon.tsx";
import { LoadingScreen, Screen } from "../frame/screens.tsx";
import type { Person } from "../service/clients.ts";
import { LiveNotice } from "../service/live-notice.tsx";
import { useLive } from "../service/live.ts";
import { revokeOwnRequest, revokeOwnSecret } from "../service/revocations.ts";
import { useTabNews } from "../service/tab-news.ts";
import { ACTIVITY } from "../texts/activity.ts";
import { PAGE } from "../texts/page.ts";
import { SENDING } from "../texts/sending.ts";
import { ActivityRow } from "./activity-row.tsx";
import { summarize } from "./descriptions.ts";
import { DetailsDialog } from "./details-dialog.tsx";
import { addressOfTicket, useFilter } from "./filters.ts";
import { countItemsToCollect, groupOf, GROUPS, idOf, isShown, KINDS, loadActivity } from "./items.ts";
import type { ActivityItem, Filter } from "./items.ts";
import { useNews } from "./news.ts";
import { NotifyButton } from "./notify-button.tsx";

const { activity: words } = ACTIVITY;
const { frame } = PAGE;
const PAGE_SIZE = 20;

/**
 * The list of what a person sent and asked for, kept up to date. `onCount` is called with the number of secrets to
 * collect.
 */
export function ActivityScreen(props: { readonly person: Person; readonly onCount: (count: number) => void }) {
  const { person, onCount } = props;
  const [limit, setLimit] = useState(PAGE_SIZE);
  const [detailed, setDetailed] = useState<string | undefined>(undefined);
  const filter = useFilter();
  const { ticket } = filter;
  const live = useLive(person, () => loadActivity(person, { limit, ticket }), {
    key: `${limit} ${ticket}`,
    isNews: true,
  });
  const items = live.value?.items;
  const { said, arrived } = useNews(items);
  useTabNews(arrived);
  const focusOnEnded = useFocusOnEnded(items);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!live.value) return;
    const { items: listed, hasMore, askedAt } = live.value;
    onCount(countItemsToCollect(listed));
    // The list is complete, and the same person is still signed in.
    if (!hasMore.all) void pruneLabels(person.id, new Set(listed.map(idOf)), askedAt);
  }, [live.value]);
  const revoke = async (item: ActivityItem) => {
    await (item.kind === "sent" ? revokeOwnSecret : revokeOwnRequest)(person, idOf(item));
    await live.refresh();
    // The row has moved, and would lose the keyboard focus.
    focusOnEnded(idOf(item));
  };
  const showMore = () => {
    // The focused button may be gone, and the focus with it.
    list.current?.focus();
    setLimit(limit + PAGE_SIZE);
  };
  const shown = items?.filter((item) => isShown(item, filter)) ?? [];
  const opened = items?.find((item) => idOf(item) === detailed);
  if (items?.length === 0 && !live.problem && !live.stale) return <EmptyScreen />;
  return (
    <Screen title={frame.activity} lede={live.value && summarize(live.value)} beside={<FilterTabs filter={filter} />}>
      <LiveNotice live={live} />
      {!items && !live.problem && <LoadingScreen />}
      <p role="status" class="unseen">
        {said}
      </p>
      <div ref={list} tabIndex={-1} class="stack">
        {GROUPS.map((group) => {
          const rows = shown.filter((item) => groupOf(item) === group);
          if (rows.length === 0) return null;
          return (
            <div key={group}>
              <h2 class="group-title">{words.groups[group]}</h2>
              <ul>
                {rows.map((item, index) => (
                  <ActivityRow
                    key={idOf(item)}
                    item={item}
                    isFirst={index === 0}
                    onDetails={() => setDetailed(idOf(item))}
                    onRevoke={() => revoke(item)}
                  />
                ))}
              </ul>
            </div>
          );
        })}
        {live.value?.ticket === ticket && items && shown.length === 0 && <p class="quiet">{describeNothing(filter)}</p>}
      </div>
      <div class="buttons">
        {live.value?.hasMore[filter.kind] && (
          <button type="button" class="button" onClick={showMore}>
            {words.showMore}
          </button>
        )}
        {items && <NotifyButton />}
      </div>
      {opened && (
        <DetailsDialog key={detailed} client={person.client} item={opened} onClose={() => setDetailed(undefined)} />
      )}
    </Screen>
  );
}

function describeNothing(filter: Filter): string {
  if (filter.kind === "ticket") return SENDING.ticket.none(filter.ticket);
  return filter.kind === "asked" ? words.noneAsked : words.noneSent;
}

function FilterTabs({ filter }: { readonly filter: Filter }) {
  return (
    <nav class="filter" aria-label={words.filter}>
      {KINDS.map((each) => (
        <a key={each} href={`${topUrl()}/activity#${each}`} aria-current={each === filter.kind ? "true" : undefined}>
          {words.filters[each]}
        </a>
      ))}
      {filter.kind === "ticket" && (
        <a href={addressOfTicket(filter.ticket)} aria-current="true" translate={false}>
          {filter.ticket}
        </a>
      )}
    </nav>
  );
}

function EmptyScreen() {
  return (
    <Screen title={words.empty.title} lede={words.empty.text} icon="inbox">
      <div class="buttons">
        <a class="button primary wide-on-phone" href={`${topUrl()}/`}>
          {words.empty.send}
        </a>
        <a class="button wide-on-phone" href={`${topUrl()}/ask`}>
          <Icon name="inbox" />
          {words.empty.ask}
        </a>
      </div>
    </Screen>
  );
}

/** Returns a function that focuses the row of an id as soon as it appears at its new place. */
function useFocusOnEnded(items: readonly ActivityItem[] | undefined): (id: string) => void {
  const [wanted, setWanted] = useState("");
  useEffect(() => {
    const item = items?.find((each) => idOf(each) === wanted);
    if (!item || groupOf(item) === "waiting") return;
    setWanted("");
    document.getElementById(wanted)?.focus();
  }, [items, wanted]);
  return setWanted;
}
