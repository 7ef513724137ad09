import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { createProgram } from "../src/cli/run.ts";
import { VERSION } from "../src/cli/server/version.ts";
import { listWideTables, replaceLinks } from "../src/manual/rendering.ts";
import { findTopic, TOPICS } from "../src/manual/topics.ts";
import type { Topic } from "../src/manual/topics.ts";
import { createTestTerminal } from "../test/support/terminals.ts";

/** The topic that is the page of the file of settings. */
const SETTINGS = "settings";
/** Topics that a page of a command refers to at most. */
const MAX_TOPICS = 3;
/** Stands for a hard line break, which the parser doesn't tell from a soft one. */
const BREAK = "\u0001";
const MANUAL = "Manual of handoff";
const ESCAPES: Readonly<Record<string, string>> = {
  "\\": "\\(rs",
  "-": "\\-",
  "'": "\\(aq",
  '"': "\\(dq",
  "`": "\\(ga",
  "^": "\\(ha",
  "~": "\\(ti",
};

/** Returns all manual pages by the names of their files. `date` has the form 2026-11-28. */
export async function manPages(date: string): Promise<ReadonlyMap<string, string>> {
  const program = await createProgram(createTestTerminal({ env: {} }), { args: [], isJson: false }, () => undefined);
  const commands = partsOf(program);
  const head = (name: string, section: number, summary: string) =>
    `.TH ${escape(name).toUpperCase()} ${section} ${date} "handoff ${escape(VERSION)}" "${MANUAL}"\n.ad l\n.nh\n.SH NAME\n${escape(name)} \\- ${escape(summary.replace(/\.$/, ""))}\n`;
  const pages = new Map<string, string>();
  pages.set("handoff.1", head("handoff", 1, program.description()) + overview(program, commands));
  for (const command of commands) {
    const name = `handoff-${command.name()}`;
    const [summary = ""] = command.description().split(/(?<=\.) /);
    pages.set(`${name}.1`, head(name, 1, summary) + commandPage(command));
  }
  for (const topic of TOPICS) {
    const [name, section] = topic.name === SETTINGS ? ["handoff.toml", 5] : [`handoff-${topic.name}`, 7];
    const others = `.SH SEE ALSO\n.BR handoff (1)\n`;
    pages.set(`${name}.${section}`, `${head(name, section, topic.summary)}${toRoff(topic)}${others}`);
  }
  return pages;
}

function overview(program: Command, commands: readonly Command[]): string {
  const exitCodes = /^\| exit code .*(?:\n\|.*)+/m.exec(findTopic("scripts")?.text ?? "")?.[0] ?? "";
  return [
    ".SH SYNOPSIS\n.B handoff\n.I command\n[\\fIoptions\\fR] [\\fIarguments\\fR]\n",
    `.SH DESCRIPTION\n${escape(program.description())}\n`,
    ".SH COMMANDS\n",
    ...commands.map((each) => item(`.BR handoff\\-${escape(each.name())} (1)`, escape(each.description()))),
    ".SH TOPICS\n",
    ...TOPICS.map((each) => item(`.BR ${referTo(each.name).replace("(", " (")}`, escape(each.summary))),
    ".SH FILES\n",
    item(".I \\(ti/.config/handoff", "The login, and the defaults of \\fBhandoff config set\\fR."),
    item(
      ".I \\(ti/.local/state/handoff",
      "What the command line keeps: private keys of requests, labels, pending claims.",
    ),
    item(".I /etc/handoff/handoff.toml", "The settings of a service that a package installed."),
    item(".I /etc/handoff/env", "The settings of a service, as environment variables."),
    item(".I /var/lib/handoff", "The database of a service."),
    `.SH ENVIRONMENT\n`,
    item(".B HANDOFF_URL", "The address of the server."),
    item(".B HANDOFF_API_KEY", "The API key; \\fBHANDOFF_API_KEY_FILE\\fR names a file with it."),
    item(".B HANDOFF_CONFIG", "The file of settings, see \\fBhandoff.toml\\fR(5)."),
    item(".B HANDOFF_DEBUG", "With 1, an error to report says where in handoff it happened."),
    item(".B PAGER", "Shows what \\fBhandoff help\\fR prints on a terminal; \\fBNO_COLOR\\fR takes its colors away."),
    `.SH EXIT STATUS\n${renderRoff(exitCodes)}`,
    `.SH SEE ALSO\n${refer(["start", "send", "install"])}`,
  ].join("");
}

function commandPage(command: Command): string {
  const leaves = leavesOf(command);
  const hasParts = command.commands.length > 0;
  const usage = (each: Command) => `.B ${escape(namesOf(each))}\n${escape(each.usage())}\n`;
  return [
    `.SH SYNOPSIS\n${leaves.map(usage).join(".br\n")}`,
    `.SH DESCRIPTION\n${escape(command.description())}\n`,
    hasParts ? ".SH COMMANDS\n" : "",
    ...leaves.map(
      (each) => (hasParts ? `.SS ${escape(namesOf(each))}\n${escape(each.description())}\n` : "") + optionsOf(each),
    ),
    examplesOf(command),
    `.SH SEE ALSO\n.BR handoff (1)${refer(topicsOf(command), ",\n")}`,
  ].join("");
}

function leavesOf(command: Command): readonly Command[] {
  const parts = partsOf(command);
  return parts.length === 0 ? [command] : parts.flatMap(leavesOf);
}

/** The commands below one that are shown, without the parser's own help. */
function partsOf(command: Command): readonly Command[] {
  const shown = command.createHelp().visibleCommands(command);
  return command.commands.filter((each) => shown.includes(each));
}

function namesOf(command: Command): string {
  return command.parent ? `${namesOf(command.parent)} ${command.name()}` : command.name();
}

function optionsOf(command: Command): string {
  const help = command.createHelp();
  const args = help.visibleArguments(command).map((each) => [help.argumentTerm(each), help.argumentDescription(each)]);
  const options = help.visibleOptions(command).map((each) => [help.optionTerm(each), help.optionDescription(each)]);
  const list = ([term = "", text = ""]: readonly string[]) => item(`.B ${escape(term)}`, escape(text));
  const isPart = Boolean(command.parent?.parent);
  return [
    args.length > 0 && !isPart ? ".SH ARGUMENTS\n" : "",
    ...args.map(list),
    isPart ? "" : ".SH OPTIONS\n",
    ...options.map(list),
  ].join("");
}

/** What follows the options in the command's help: its examples. */
function examplesOf(command: Command): string {
  let text = "";
  command.configureOutput({ writeOut: (part) => void (text += part) }).outputHelp();
  const [, examples] = /^Examples?:\n((?: .*\n?)+)/m.exec(text) ?? [];
  return examples === undefined
    ? ""
    : `.SH EXAMPLES\n${verbatim(escape(examples.replaceAll(/^ {2}/gm, ""))).replace(".sp\n", "")}`;
}

/** The topics that name a command most. */
function topicsOf(command: Command): string[] {
  const called = new RegExp(`\\bhandoff ${command.name()}\\b`, "g");
  return TOPICS.map(({ name, text }) => ({ name, count: text.match(called)?.length ?? 0 }))
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => b.count - a.count)
    .slice(0, MAX_TOPICS)
    .map(({ name }) => name);
}

function refer(topics: readonly string[], before = ""): string {
  const lines = topics.map((name) => `.BR ${referTo(name).replace("(", " (")}`);
  return lines.length === 0 ? "\n" : `${before}${lines.join(",\n")}\n`;
}

/** The page of a topic, as manual pages name each other. */
function referTo(topic: string): string {
  return topic === SETTINGS ? "handoff.toml(5)" : `handoff\\-${escape(topic)}(7)`;
}

function toRoff({ text }: Topic): string {
  const pageOf = (name: string) => (name === SETTINGS ? "**handoff.toml**(5)" : `**handoff-${name}**(7)`);
  const linked = replaceLinks(text, (label, name) => (name ? `${label} (${pageOf(name)})` : label));
  return renderRoff(linked.replace(/^# .*\n/, "## Description\n"));
}

/** Renders Markdown as roff, for the macros of man(7). */
function renderRoff(markdown: string): string {
  return Bun.markdown
    .render(listWideTables(markdown, 0).replaceAll(/ {2}\n/g, `${BREAK}\n`), {
      text: escape,
      heading: (children, { level }) => (level === 2 ? `.SH ${capitalize(children)}\n` : `.SS ${children}\n`),
      paragraph: (children) => `.P\n${children}\n`,
      code: verbatim,
      // A long query may be broken between its parameters.
      codespan: (children) => `\\fB${children.replaceAll("&", "&\\:")}\\fR`,
      strong: (children) => `\\fB${children}\\fR`,
      emphasis: (children) => `\\fI${children}\\fR`,
      link: (children, { href }) => `${children} (\\fI${escape(href)}\\fR)`,
      blockquote: (children) => `.RS 4\n${children}.RE\n`,
      list: (children, { depth }) => (depth > 0 ? `\n.RS 4\n${children}.RE\n` : children),
      listItem: (children, { ordered, index, start = 1 }) => {
        const mark = ordered ? `${start + index}.` : "\\(bu";
        const text = children.replace(/^\.P\n/, "").replaceAll("\n.P\n", '\n.IP "" 4\n');
        return `.IP ${mark} 4\n${text.trimEnd()}\n`;
      },
    })
    .replaceAll(new RegExp(`${BREAK}\\s*`, "g"), "\n.br\n")
    .replaceAll(/^(\.S[HS] .*\n)\.(?:P|sp)\n/gm, "$1");
}

/** Roff in capitals, with its escapes as they are. */
function capitalize(roff: string): string {
  return roff.replaceAll(/\\(?:\(..|\[\w+\]|f.|.)|[a-z]/g, (each) => (each.length === 1 ? each.toUpperCase() : each));
}

function verbatim(text: string): string {
  return `.sp\n.RS 4\n.nf\n${text.trimEnd()}\n.fi\n.RE\n`;
}

function item(tag: string, text: string): string {
  return `.TP\n${tag}\n${text}\n`;
}

/** `text` without a meaning of its own in roff, in ASCII. */
function escape(text: string): string {
  return text
    .replaceAll(/[\\\-'"`^~]/g, (each) => ESCAPES[each] ?? each)
    .replaceAll(/^\./gm, "\\&.")
    .replaceAll(/[^\0-\x7f]/gu, (each) => `\\[u${each.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")}]`);
}

if (import.meta.main) {
  const [folder = "dist/man", date = ""] = process.argv.slice(2);
  mkdirSync(folder, { recursive: true });
  const pages = await manPages(date);
  for (const [name, page] of pages) writeFileSync(join(folder, name), page);
  console.error(`man: ${pages.size} pages in ${folder}`);
}
