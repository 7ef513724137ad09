import { useEffect, useId, useMemo, useRef, useState } from "preact/hooks";
import { readAudit } from "../../client/audit/lines.ts";
import type { Audit, SeenLine } from "../../client/audit/lines.ts";
import { onSignIn } from "../browser/session-news.ts";
import { Icon } from "../frame/icon.tsx";
import { Screen } from "../frame/screens.tsx";
import { Complaint } from "../parts/complaint.tsx";
import { describeSessionFailure } from "../parts/failures.ts";
import { capitalize, formatTime } from "../parts/formats.ts";
import { printable } from "../parts/printable.ts";
import { SearchField } from "../parts/search-field.tsx";
import { requirePerson } from "../service/clients.ts";
import type { Person } from "../service/clients.ts";
import { AUDITING } from "../texts/auditing.ts";
import { PAGE } from "../texts/page.ts";
import { download } from "../viewing/downloads.ts";
import {
  createLineSearch,
  describeActor,
  describeType,
  describeWay,
  subjectOf,
  toCsv,
  wordsOf,
} from "./descriptions.ts";

const { auditing: words } = AUDITING;
/** More would take a phone's memory, and nobody reads them. */
const MOST_LINES = 20_000;
/** The lines shown at once. */
const PAGE_SIZE = 100;
/** The days that are read at first, today included. */
const FIRST_DAYS = 7;

/** Two days of the calendar, as date fields have them; empty for no limit. */
interface Range {
  readonly from: string;
  readonly to: string;
}

/** `/audit`: what happened in the team between two days, newest first, as far as it has what is searched. */
export function AuditScreen({ person }: { readonly person: Person }) {
  const [range, setRange] = useState<Range>(() => ({ from: toDay(daysAgo(FIRST_DAYS - 1)), to: toDay(daysAgo(0)) }));
  const [search, setSearch] = useState("");
  const { audit, isBusy, complaint } = useAudit(person, range);
  const found = useMemo(() => audit?.lines.filter(createLineSearch(search)).toReversed() ?? [], [audit, search]);
  const [limit, setLimit] = useState(PAGE_SIZE);
  useEffect(() => setLimit(PAGE_SIZE), [audit, search]);
  const left = Math.min(PAGE_SIZE, found.length - limit);
  const save = () => download(fileNameOf(range), toCsv(found.toReversed()));
  return (
    <Screen title={words.title} width="wide" lede={words.lede(printable(person.credential.team?.name ?? ""))}>
      <div class="audit-head">
        <DayField name={words.from} value={range.from} onChange={(from) => setRange({ ...range, from })} />
        <DayField name={words.to} value={range.to} onChange={(to) => setRange({ ...range, to })} />
        <SearchField text={words.search} value={search} onInput={setSearch} />
        {found.length > 0 && !isBusy && (
          <button type="button" class="button" onClick={save}>
            <Icon name="download" />
            {words.export}
          </button>
        )}
      </div>
      <p role="status" class="small quiet count-line">
        {isBusy ? PAGE.loading : audit && describeCount(audit, found.length)}
      </p>
      <Complaint text={complaint} />
      <ul class="audit">
        {found.slice(0, limit).map((line) => (
          <Line key={line.id} line={line} onSearch={setSearch} />
        ))}
      </ul>
      {left > 0 && (
        <div class="buttons">
          <button type="button" class="button" onClick={() => setLimit(limit + PAGE_SIZE)}>
            {words.showMore(left)}
          </button>
        </div>
      )}
    </Screen>
  );
}

/** The audit between two days. Nothing of it stays when it can't be read, or another person signs in. */
function useAudit(person: Person, { from, to }: Range) {
  const [audit, setAudit] = useState<Audit | undefined>(undefined);
  const [isBusy, setBusy] = useState(true);
  const [complaint, setComplaint] = useState("");
  const readings = useRef(0);
  const read = async () => {
    // The later of two readings wins, whichever answer comes first.
    const reading = ++readings.current;
    const say = (next: Audit | undefined, problem: string) => {
      if (reading !== readings.current) return;
      setAudit(next);
      setComplaint(problem);
      setBusy(false);
    };
    setBusy(true);
    try {
      await requirePerson(person);
      const range = { since: from === "" ? 0 : startOf(from), until: to === "" ? undefined : startOf(to, 1) };
      say(await readAudit(person.client, { ...range, most: MOST_LINES }), "");
    } catch (error) {
      say(undefined, describeSessionFailure(error).text);
    }
  };
  useEffect(() => {
    void read();
    return onSignIn(() => void read());
  }, [from, to]);
  return { audit, isBusy, complaint };
}

function describeCount({ lines, hasMore }: Audit, found: number): string {
  if (hasMore) return words.tooMany(lines.length);
  if (found > 0) return words.count(found);
  return lines.length === 0 ? words.none : words.noneFound;
}

function DayField(props: { readonly name: string; readonly value: string; readonly onChange: (day: string) => void }) {
  const { name, value, onChange } = props;
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{name}</label>
      <input
        id={id}
        class="input"
        type="date"
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </div>
  );
}

function Line({ line, onSearch }: { readonly line: SeenLine; readonly onSearch: (text: string) => void }) {
  const { time, reference, ask } = line;
  const subject = subjectOf(line);
  return (
    <li>
      <time dateTime={time}>{capitalize(formatTime(time))}</time>
      <div>
        <b>{describeType(line)}</b>
        {subject && (
          <button
            type="button"
            class="button text"
            aria-label={words.only(subject.name)}
            onClick={() => onSearch(subject.id)}
          >
            <bdi>{subject.name}</bdi>
          </button>
        )}
        {reference !== null && <bdi translate={false}>{printable(reference)}</bdi>}
        {ask !== null && (
          <bdi class="quiet" lang="en" translate={false}>
            {wordsOf(ask)}
          </bdi>
        )}
      </div>
      <bdi>{describeActor(line)}</bdi>
      <div class="quiet">
        {describeWay(line).map((part) => (
          <bdi key={part}>{part}</bdi>
        ))}
      </div>
    </li>
  );
}

function daysAgo(days: number): Date {
  const now = new Date();
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - days);
}

/** A day of this machine's calendar, such as 2026-11-27. */
function toDay(date: Date): string {
  const pad = (value: number) => String(value).padStart(2, "0");
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
}

/** The beginning of a day, or of a later one, by this machine's time zone, in epoch milliseconds. */
function startOf(day: string, later = 0): number {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  return new Date(year, month - 1, date + later).getTime();
}

function fileNameOf({ from, to }: Range): string {
  return `${["audit", from, to].filter(Boolean).join("-")}.csv`;
}
