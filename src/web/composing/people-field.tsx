import { useEffect, useId, useRef } from "preact/hooks";
import { PEOPLE } from "../texts/people.ts";
import type { ChangingPeople, PeopleDraft, PeopleKit } from "./people-kit.ts";
import { People } from "./people-list.tsx";

const { people: words } = PEOPLE;

export { words };

/** The most addresses and domains of a link. */
const MOST = 20;
/** The most characters of an address. */
const MAX_LENGTH = 64;
// As servers take them, which look closer.
const ENTRY = /^(\*|[\p{L}\p{N}][\p{L}\p{M}\p{N}._'’+&():/-]*)@[\p{L}\p{M}\p{N}.-]*[\p{L}\p{M}\p{N}]$/u;
const SEPARATORS = /[\s,;]+/;
/** As mail programs copy addresses: `Ann Lee <ann@example.com>`. */
const NAMED = /[^,;\n<>]*<([^<>]*)>/g;
/** A press on a button takes the focus away first, and the button must not move before the press is over. */
const BLUR_MS = 200;

/**
 * Turns the text of a draft into people, each once. What is neither an address nor a domain stays in the text, with a
 * complaint; what is too much, too.
 */
export function complete(draft: Omit<PeopleDraft, "complaint">): PeopleDraft {
  const people = [...draft.people];
  let isWrong = false;
  const left: string[] = [];
  for (const typed of draft.text.replaceAll(NAMED, "$1,").split(SEPARATORS).filter(Boolean)) {
    const entry = (typed.startsWith("@") ? `*${typed}` : typed).normalize("NFC");
    if (people.some((each) => each.toLowerCase() === entry.toLowerCase())) continue;
    const isEntry = ENTRY.test(entry) && Array.from(entry).length <= MAX_LENGTH;
    isWrong ||= !isEntry;
    if (isEntry && people.length < MOST) people.push(entry);
    else left.push(typed);
  }
  const complaint = isWrong ? words.wrong : left.length > 0 ? words.tooMany(MOST) : "";
  return { people, text: left.join(" "), complaint };
}

/** Returns the chosen people; undefined for everyone, and null, with a complaint at the field, for an invalid text. */
export function readPeople(chosen: ChangingPeople): readonly string[] | null | undefined {
  const completed = complete(chosen);
  const complaint = completed.complaint || complaintOfTeam(chosen, completed.people);
  const next = { ...completed, complaint };
  chosen.change(next);
  if (complaint !== "") return null;
  return next.people.length > 0 ? next.people : undefined;
}

/** The complaint about people whom the rules of the team don't allow; empty when there is none. */
function complaintOfTeam({ isRequired, domains }: ChangingPeople, people: readonly string[]): string {
  if (isRequired && people.length === 0) return words.required;
  const isOutside = (each: string) => !domains?.includes(each.slice(each.lastIndexOf("@") + 1).toLowerCase());
  return domains && people.some(isOutside) ? words.onlyAt(domains.join(", ")) : "";
}

/**
 * Complains at the field when an error says that the server refuses the people, and returns no further words. Returns
 * undefined for any other error.
 */
export function heedRefusal({ people, change }: ChangingPeople, error: unknown): "" | undefined {
  // The other terms are within the limits of the server.
  const isRefused = error instanceof Error && "code" in error && error.code === "schema_mismatch";
  if (!isRefused || people.length === 0) return undefined;
  change((draft) => ({ ...draft, complaint: words.refused }));
  return "";
}

/** The field for the people who may use a link. */
export function PeopleField(props: {
  readonly kit: PeopleKit;
  readonly chosen: ChangingPeople;
  readonly isBusy: boolean;
}) {
  const { kit, chosen, isBusy } = props;
  const label = words[chosen.question];
  const { Complaint, IconButton } = kit;
  const { people, text, complaint, isRequired, domains, change } = chosen;
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const last = useRef(chosen);
  last.current = chosen;
  const blurred = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(blurred.current), []);
  useEffect(() => {
    if (complaint === words.refused) field.current?.focus();
  }, [complaint]);
  const take = (more: string) => change(complete({ people, text: more }));
  const remove = (position: number) => {
    change({ people: people.toSpliced(position, 1), text, complaint: "" });
    // The pressed button is gone, and the focus with it.
    field.current?.focus();
  };
  return (
    <div class="field">
      <label class="label" for={id}>
        {label}
      </label>
      <div role="status">
        {people.length > 0 && (
          <People name={label} list={people}>
            {(each, position) =>
              !isBusy && <IconButton icon="close" label={words.remove(each)} onClick={() => remove(position)} />
            }
          </People>
        )}
      </div>
      <input
        ref={field}
        id={id}
        class="input"
        type="text"
        inputMode="email"
        name="email"
        autocomplete="email"
        autocapitalize="none"
        dir="ltr"
        spellcheck={false}
        translate={false}
        placeholder={people.length === 0 && !isRequired ? words.everyone : undefined}
        readOnly={isBusy}
        value={text}
        aria-required={isRequired}
        aria-invalid={complaint !== ""}
        aria-describedby={`${id}-hint ${id}-complaint`}
        onInput={(event) => {
          const { value } = event.currentTarget;
          if (/[\s,;]$/.test(value)) take(value);
          else change({ people, text: value, complaint: "" });
        }}
        onPaste={(event) => {
          const pasted = event.clipboardData?.getData("text") ?? "";
          if (isBusy || !SEPARATORS.test(pasted.trim())) return;
          // The field itself would join the lines of a list.
          event.preventDefault();
          take(`${text} ${pasted}`);
        }}
        onKeyDown={(event) => {
          if (event.isComposing || event.ctrlKey || event.metaKey || isBusy) return;
          if (event.key === "Enter" && text.trim() !== "") {
            event.preventDefault();
            take(text);
          } else if (event.key === "Backspace" && text === "" && people.length > 0) {
            remove(people.length - 1);
          }
        }}
        onBlur={() => {
          blurred.current = setTimeout(() => {
            const { text: typed } = last.current;
            if (typed.trim() !== "") last.current.change(complete(last.current));
          }, BLUR_MS);
        }}
        onFocus={() => clearTimeout(blurred.current)}
      />
      <p class="hint" id={`${id}-hint`}>
        {isRequired && `${words.required} `}
        {domains && `${words.onlyAt(domains.join(", "))} `}
        {words.hint} {words.worth}
      </p>
      <Complaint id={`${id}-complaint`} text={complaint} />
    </div>
  );
}

/** Whom a link is for, as a fact of the screen that shows the link. */
export function ForPeople({ list }: { readonly list: readonly string[] }) {
  return (
    <div class="field">
      <p class="label" aria-hidden="true">
        {words.chosen}
      </p>
      <People name={words.chosen} list={list} />
    </div>
  );
}
