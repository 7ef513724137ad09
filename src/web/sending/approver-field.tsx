import { useId } from "preact/hooks";
import { APPROVING } from "../texts/approving.ts";
import type { ApproverChoice } from "./approver-choice.ts";

const { approval: words } = APPROVING;

export { words };

/** Chips for the person who has to approve each opening. */
export function ApproverField({ approver }: { readonly approver: ApproverChoice }) {
  const { chosen, choices, isRequired, choose } = approver;
  const id = useId();
  return (
    <fieldset class="choices" aria-describedby={id}>
      <legend class="label choices-title">{words.who}</legend>
      {choices.map((each) => (
        <label key={each} class="choice">
          <input type="radio" name={id} checked={each === chosen} onChange={() => choose(each)} />
          <span>{words.choices[each ?? "nobody"]}</span>
        </label>
      ))}
      <p class="hint" id={id} role="status">
        {isRequired && `${words.required} `}
        {chosen && `${words.meanings[chosen]} ${words.worth}`}
      </p>
    </fieldset>
  );
}
