import { InvalidArgumentError, Option } from "commander";

/** The words for people that differ from the states on the wire. */
const WORDS: ReadonlyMap<string, string> = new Map([
  ["available", "waiting"],
  ["claimed", "opened"],
]);

/** The word for a state, as tables and sentences have it; JSON has the state itself. */
export function wordOf(state: string): string {
  return WORDS.get(state) ?? state;
}

/** The flag `--state` for one of `states`, by its word or as it is on the wire. */
export function stateOption(description: string, states: readonly string[]): Option {
  const words = states.map(wordOf);
  return new Option("--state <state>", description).choices(words).argParser((given) => {
    const state = states.find((each) => each === given || wordOf(each) === given);
    if (state === undefined) throw new InvalidArgumentError(`Allowed choices are ${words.join(", ")}.`);
    return state;
  });
}
