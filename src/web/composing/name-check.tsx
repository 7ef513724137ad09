import type { Person } from "../../contract/persons.ts";

/** The box by which a person shows their name to those who hold the link. */
export function NameCheck(props: {
  readonly person: Person;
  readonly words: { readonly showName: (name: string) => string; readonly showNameHint: string };
  readonly isNamed: boolean;
  readonly onChange: (isNamed: boolean) => void;
}) {
  const { person, words, isNamed, onChange } = props;
  return (
    <label class="check">
      <input type="checkbox" checked={isNamed} onChange={(event) => onChange(event.currentTarget.checked)} />
      <span>
        {words.showName(person.name ?? person.address)}
        <small class="hint">{words.showNameHint}</small>
      </span>
    </label>
  );
}
