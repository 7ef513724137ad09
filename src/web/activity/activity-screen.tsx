import { useEffect, useRef, useState } from "preact/hooks";
import { pruneLabels } from "../browser/labels.ts";
import { topUrl } from "../browser/places.ts";
import type { Waiting } from "../frame/account.ts";
import { LoadingScreen, Screen } from "../frame/screens.tsx";
import { Warning } from "../parts/warning.tsx";
import type { Person } from "../service/clients.ts";
import { LiveNotice } from "../service/live-notice.tsx";
import { useLive } from "../service/live.ts";
import type { Live } from "../service/live.ts";
import { createSecretReader } from "../service/own-secrets.ts";
import { may, tabsOf } from "../service/scopes.ts";
import { useTabNews } from "../service/tab-news.ts";
import { ACTIVITY } from "../texts/activity.ts";
import { MENU } from "../texts/menu.ts";
import { PAGE } from "../texts/page.ts";
import { SENDING } from "../texts/sending.ts";
import { ActivityRow } from "./activity-row.tsx";
import { Asks } from "./asks.tsx";
import { nameMonth } from "./descriptions.ts";
import { Details } from "./details.tsx";
import { addressOf, isFiltered, NO_FILTER, useFound, useView } from "./filters.ts";
import type { CurrentView, Filter } from "./filters.ts";
import { Finder } from "./finder.tsx";
import { countItemsToCollect, groupOf, GROUPS, idOf, loadActivity, momentOf } from "./items.ts";
import type { Activity, ActivityItem } from "./items.ts";
import { useAskNews, useNews, useRefusals } from "./news.ts";
import { NotifyButton } from "./notify-button.tsx";

const { activity: words } = ACTIVITY;
/** The rows shown at once, and the items loaded before all others. */
const PAGE_SIZE = 50;
/** So many more are shown at once, too: a button would take the room of one. */
const FEW_ROWS = 2;
const MOST = 2000;

/**
 * The list of what a person sent and asked for, kept up to date, below what they have to approve and with the details
 * of one item beside it. `onCount` is called with the numbers of what waits for the person.
 */
export function ActivityScreen(props: { readonly person: Person; readonly onCount: (waiting: Waiting) => void }) {
  const { person, onCount } = props;
  const view = useView();
  const live = useActivity(person, view.filter.ticket);
  const items = live.value?.items;
  const { said, arrived } = useNews(items);
  const refused = useRefusals(person, items);
  const asking = useAskNews(live.value);
  useTabNews(arrived);
  useTabNews(refused);
  useTabNews(asking);
  useEffect(() => {
    if (!live.value) return;
    const { items: listed, asks, hasMore, askedAt } = live.value;
    onCount({ toCollect: countItemsToCollect(listed), asks: asks.length });
    // The list is complete, and the same person is still signed in.
    if (!hasMore) void pruneLabels(person.id, new Set(listed.map(idOf)), askedAt);
  }, [live.value]);
  const opened = items?.find((item) => idOf(item) === view.id);
  useFocusOnClosed(opened && view.id);
  // What came of an ask stays on the screen.
  const hasAsks = asking !== undefined || live.value?.asks.length !== 0;
  if (items?.length === 0 && !hasAsks && !live.problem && !live.stale) return <EmptyScreen person={person} />;
  return (
    <div class={opened ? "beside" : undefined}>
      <Screen title={MENU.menu.activity} width="wide" isSecondary={opened !== undefined}>
        <LiveNotice live={live} />
        {!items && !live.problem && <LoadingScreen />}
        <p role="status" class="unseen">
          {said}
        </p>
        <p role="status" class="unseen">
          {asking?.text}
        </p>
        {live.value && <Asks person={person} activity={live.value} onOver={live.refresh} />}
        {refused && <Warning role="status">{refused.text}</Warning>}
        {live.value && !(live.value.items.length === 0 && hasAsks) && <List activity={live.value} view={view} />}
        {items && (
          <div class="buttons">
            <NotifyButton />
          </div>
        )}
      </Screen>
      {opened && (
        <Details
          key={view.id}
          person={person}
          item={opened}
          listAddress={addressOf({ ...view, id: undefined })}
          reading={opened.kind === "sent" && opened.secret.approval !== null ? live.value : refused}
          onClose={view.goBack}
          onChanged={live.refresh}
        />
      )}
    </div>
  );
}

/** The newest items at once, and then up to 2,000 of each kind. */
function useActivity(person: Person, ticket: string | undefined): Live<Activity> {
  const [limit, setLimit] = useState(PAGE_SIZE);
  const [list] = useState(createSecretReader);
  const live = useLive(person, () => loadActivity(person, { limit, ticket }, list), {
    key: `${limit} ${ticket}`,
    isNews: true,
  });
  useEffect(() => {
    if (live.value?.hasMore) setLimit(MOST);
  }, [live.value]);
  return live;
}

/** The search, and the rows that it leaves. */
function List({ activity, view }: { readonly activity: Activity; readonly view: CurrentView }) {
  const { filter } = view;
  const found = useFound(activity, filter);
  // They are above the list, whatever it is filtered by.
  const asks = filter.standing === "needed" ? found.asks : 0;
  const [limit, showMore] = useRowLimit(filter, found.items);
  const ordered =
    filter.search === ""
      ? GROUPS.flatMap((group) => found.items.filter((item) => groupOf(item) === group))
      : found.items;
  const shown = ordered.length <= limit + FEW_ROWS ? ordered : ordered.slice(0, limit);
  const left = Math.min(PAGE_SIZE, ordered.length - shown.length);
  return (
    <>
      <Finder items={activity.items} filter={filter} counts={found.counts} onSearch={view.search} />
      <p role="status" class="small quiet count-line">
        {describeCount(activity, filter, { found: found.items.length, asks })}
      </p>
      {[...Map.groupBy(shown, filter.search === "" ? nameGroup : (item) => nameMonth(momentOf(item)))].map(
        ([name, rows]) => (
          <section key={name} class="group">
            <h2 class="group-title">{name}</h2>
            <ul class="rows">
              {rows.map((item) => (
                <ActivityRow
                  key={idOf(item)}
                  item={item}
                  search={filter.search}
                  address={addressOf({ filter, id: idOf(item) })}
                  isOpen={idOf(item) === view.id}
                />
              ))}
            </ul>
          </section>
        ),
      )}
      {shown.length + asks === 0 && activity.ticket === filter.ticket && !isLoadingMore(activity) && (
        <Nothing filter={filter} />
      )}
      {left > 0 && (
        <div class="buttons">
          <button type="button" class="button" onClick={showMore}>
            {words.showMore(left)}
          </button>
        </div>
      )}
    </>
  );
}

/** The number of rows to show, and a function that shows more and focuses the first of them. */
function useRowLimit(filter: Filter, items: readonly ActivityItem[]): readonly [limit: number, showMore: () => void] {
  const [limit, setLimit] = useState(PAGE_SIZE);
  const address = addressOf({ filter, id: undefined });
  const isMore = useRef(false);
  useEffect(() => setLimit(PAGE_SIZE), [address]);
  useEffect(() => {
    if (isMore.current) document.querySelectorAll<HTMLElement>("main .row")[limit - PAGE_SIZE]?.focus();
    isMore.current = false;
  }, [limit, items]);
  const showMore = () => {
    isMore.current = true;
    setLimit(limit + PAGE_SIZE);
  };
  return [limit, showMore];
}

function nameGroup(item: ActivityItem): string {
  return words.groups[groupOf(item)];
}

/** True until the items after the newest are loaded, too. */
function isLoadingMore({ limit, hasMore }: Activity): boolean {
  return hasMore && limit < MOST;
}

function describeCount(
  activity: Activity,
  filter: Filter,
  { found, asks }: { readonly found: number; readonly asks: number },
): string {
  const { items, hasMore } = activity;
  return [
    (isFiltered(filter) || items.length > PAGE_SIZE) && words.count(found + asks, items.length + asks),
    filter.search !== "" && words.searchedHere,
    hasMore && (isLoadingMore(activity) ? PAGE.loading : words.newestOnly(items.length)),
  ]
    .filter(Boolean)
    .join(" ");
}

/** Says that a filter leaves nothing, and offers to remove it. */
function Nothing({ filter }: { readonly filter: Filter }) {
  return (
    <>
      <p class="quiet">{describeNothing(filter)}</p>
      <div class="buttons">
        <a class="button" href={addressOf({ filter: NO_FILTER, id: undefined })}>
          {words.showAll}
        </a>
      </div>
    </>
  );
}

function describeNothing(filter: Filter): string {
  const { search, standing, kind, ticket, days } = filter;
  if (search !== "" || standing || days) return words.noneFound;
  if (ticket !== undefined) return kind ? words.noneFound : SENDING.ticket.none(ticket);
  return kind === "asked" ? words.noneAsked : words.noneSent;
}

function EmptyScreen({ person }: { readonly person: Person }) {
  const tabs = tabsOf(person);
  // Of what a person may not read, nothing is listed ever.
  const lede = may(person, "secrets:read", "requests:read") ? words.empty.text : undefined;
  return (
    <Screen title={words.empty.title} lede={lede} envelope="open" width="narrow">
      <div class="buttons">
        {tabs.includes("send") && (
          <a class="button primary" href={`${topUrl()}/`}>
            {words.empty.send}
          </a>
        )}
        {tabs.includes("ask") && (
          <a class="button text" href={`${topUrl()}/ask`}>
            {words.empty.ask}
          </a>
        )}
      </div>
    </Screen>
  );
}

/** Focuses the row of the item whose details were closed. */
function useFocusOnClosed(id: string | undefined): void {
  const former = useRef<string | undefined>(undefined);
  useEffect(() => {
    const closed = former.current;
    former.current = id;
    if (id !== undefined || closed === undefined) return;
    (document.getElementById(closed) ?? document.querySelector<HTMLElement>("main h1"))?.focus();
  }, [id]);
}
