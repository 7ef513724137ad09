import type { Command } from "commander";
import { distance, nearestOf } from "../../config/nearest.ts";
import { writePaged } from "../terminal/pagers.ts";
import { CommandError, toLine, usageError } from "../terminal/terminal.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** Wider lines are hard to read. */
const MAX_COLUMNS = 90;
const COLUMNS = 80;
/** A name with more different letters is another one, not a mistyped one. */
const MAX_DISTANCE = 3;
const MAX_NAME_LENGTH = 50;
/** The room for the names of topics in their list. */
const NAME_COLUMNS = 18;

interface HelpOptions {
  readonly search?: string;
  readonly pager: boolean;
}

/** `handoff help`: how commands are used, and the manual. */
export function addHelp(program: Command, terminal: Terminal): void {
  program
    .command("help")
    .argument("[topic...]", "A command, such as admin key create, or a topic of the manual.")
    .description("Show how a command is used, or a topic of the manual.")
    .option("--search <words>", "List the places in the manual that have these words.")
    .option("--no-pager", "Show it on the terminal without $PAGER or less.")
    .action(async (names: string[], { search, pager }: HelpOptions) => {
      const show = (text: string) => (pager ? writePaged(terminal, text) : terminal.out(text));
      if (search !== undefined) return show(await searchManual(search));
      const topic = await renderTopic(terminal, names);
      const command = findCommand(program, names);
      if (topic === undefined && !command) throw await unknownName(program, names);
      const usage = command && usageOf(command);
      show([usage, names.length === 0 ? await listTopics() : topic].filter(Boolean).join("\n"));
    });
}

function findCommand(program: Command, names: readonly string[]): Command | undefined {
  return names.reduce<Command | undefined>(
    (command, name) => command?.commands.find((each) => each.name() === name),
    program,
  );
}

/** What `--help` of a command prints. */
function usageOf(command: Command): string {
  let text = "";
  command.configureOutput({ writeOut: (part) => void (text += part) }).outputHelp();
  return text;
}

/** The text of the topic that `names` names; undefined when they name none. */
async function renderTopic({ env, isTerminal, streams }: Terminal, names: readonly string[]) {
  const { findTopic } = await import("../../manual/topics.ts");
  const topic = names.length === 1 ? findTopic(names[0] ?? "") : undefined;
  if (!topic) return undefined;
  const { renderForTerminal, renderPlain } = await import("../../manual/rendering.ts");
  if (!isTerminal.out || env["TERM"] === "dumb") return renderPlain(topic);
  const shown = renderForTerminal(topic, Math.min(streams().output.columns || COLUMNS, MAX_COLUMNS));
  return env["NO_COLOR"] ? Bun.stripANSI(shown) : shown;
}

async function listTopics(): Promise<string> {
  const { TOPICS } = await import("../../manual/topics.ts");
  const lines = TOPICS.map(({ name, summary }) => `  ${name.padEnd(NAME_COLUMNS)}${summary}\n`);
  return `Topics of the manual, such as 'handoff help backups':\n${lines.join("")}`;
}

/** The places that have `words`. Throws CommandError when there are none. */
async function searchManual(words: string): Promise<string> {
  const { listPassages } = await import("../../manual/passages.ts");
  const { excerptOf, findHits } = await import("../../manual/search.ts");
  const hits = findHits(listPassages(), words);
  if (hits.length === 0) throw new CommandError(`The manual has no '${toLine(words)}'. Try fewer words.`);
  return hits
    .map(({ topic, heading, texts }) =>
      [`${topic}: ${heading}`, ...texts.map((text) => `    ${excerptOf(text, words, MAX_COLUMNS)}`), ""].join("\n"),
    )
    .join("");
}

async function unknownName(program: Command, names: readonly string[]): Promise<CommandError> {
  const { TOPICS } = await import("../../manual/topics.ts");
  const name = names.join(" ");
  if (names.length > 1) return usageError(`There is no command '${name}'. Try 'handoff help ${names[0]}'.`);
  const known = [...program.commands.map((each) => each.name()), ...TOPICS.map((each) => each.name)];
  // What is longer than any of them would take long to compare.
  const isLong = name.length > MAX_NAME_LENGTH;
  const meant = isLong || name === "" ? undefined : findMeant(name.toLowerCase(), known);
  const advice = meant === undefined ? "" : ` Did you mean '${meant}'?`;
  return usageError(
    `There is no ${isLong ? "such command or topic" : `command or topic '${toLine(name)}'`}.${advice} 'handoff help' lists all, and 'handoff help --search WORDS' looks into them.`,
  );
}

/** The name that begins with `written`, or else one that is hardly different; undefined when there is none. */
function findMeant(written: string, known: readonly string[]): string | undefined {
  const nearest = nearestOf(written, known);
  const isNear = distance(written, nearest) <= MAX_DISTANCE;
  return known.find((each) => each.startsWith(written)) ?? (isNear ? nearest : undefined);
}
