import { renderHtml } from "../../manual/rendering.ts";
import { TOPICS } from "../../manual/topics.ts";
import type { Topic } from "../../manual/topics.ts";
import { footOf, headOf, markOf } from "./documents.ts";
import type { DocumentParts } from "./documents.ts";
import { escapeHtml as escape } from "./html.ts";
import { SEARCH } from "./screens.ts";

const GROUPS = Map.groupBy(TOPICS, ({ group }) => group);

/** The document of the whole manual: its topics with their summaries. */
export function manualDocument(version: string, parts: DocumentParts): string {
  const doors = [...GROUPS].map(
    ([group, topics]) => `<h2>${escape(group)}</h2>
<ul class="doors">${topics.map((topic) => doorOf(topic, parts)).join("")}</ul>`,
  );
  const text = `<div class="stack">
<div class="head"><h1>Manual</h1>
<p class="lede">It's part of this server, and describes version ${escape(version)}. On the command line: <code>handoff help</code>.</p></div>
${searchOf(parts)}
<div class="shown stack-m">
${doors.join("\n")}
</div>
<div class="found" hidden></div>
</div>`;
  return documentOf("Manual", text, parts);
}

/** The document of a topic, beside all others. */
export function topicDocument(topic: Topic, parts: DocumentParts): string {
  const next = TOPICS[TOPICS.indexOf(topic) + 1];
  const text = `<div class="manual">
${searchOf(parts)}
<p class="to-topics"><a href="#manual-topics">All topics</a></p>
<div class="text">
<article class="shown prose">
${renderHtml(topic, (name) => pathOf(name, parts))}\
${next ? `<p class="next">Next: ${linkTo(next, parts)}</p>` : ""}
</article>
<div class="found" hidden></div>
</div>
<nav class="topics" id="manual-topics" aria-label="Topics">
${[...GROUPS].map(([group, topics]) => `<h2>${escape(group)}</h2>\n<ul>${topics.map((each) => `<li>${linkTo(each, parts, each === topic)}</li>`).join("")}</ul>`).join("\n")}
</nav>
</div>`;
  return documentOf(topic.title, text, parts);
}

function documentOf(title: string, text: string, parts: DocumentParts): string {
  const { brand, folder, wayUp } = parts;
  const head = [
    `<link rel="stylesheet" href="${wayUp}${folder}/manual.css">`,
    `<script type="module" src="${wayUp}${folder}/manual.js"></script>`,
  ];
  return `<!doctype html>
<html lang="en">
<head>
${headOf(`${title} · ${brand.name}`, head, parts)}
</head>
<body class="of-manual">
<header class="bar"><a class="brand" href="${wayUp || "./"}">${markOf(brand, wayUp)}<span>${escape(brand.name)}</span></a>
<nav class="tabs" aria-label="Main"><a href="${wayUp}manual"${title === "Manual" ? ' aria-current="page"' : ""}>Manual</a><a href="${wayUp}docs">API</a></nav></header>
<main class="page">
${text}
</main>
${footOf(parts)}
</body>
</html>
`;
}

/** The field of the search. The script shows it, because it works only with the script. */
function searchOf({ wayUp }: DocumentParts): string {
  return `<form class="search" role="search" data-passages="${wayUp}manual/passages.json" data-top="${wayUp}" hidden>
<label class="unseen" for="manual-search">Search the manual</label>${SEARCH}\
<input class="input" id="manual-search" type="search" placeholder="Search the manual" autocomplete="off" spellcheck="false">\
<span class="unseen" role="status"></span></form>`;
}

function doorOf({ name, title, summary }: Topic, parts: DocumentParts): string {
  return `<li><a class="door" href="${pathOf(name, parts)}"><b>${escape(title)}</b><span>${escape(summary)}</span></a></li>`;
}

function linkTo({ name, title }: Topic, parts: DocumentParts, isCurrent = false): string {
  return `<a href="${pathOf(name, parts)}"${isCurrent ? ' aria-current="page"' : ""}>${escape(title)}</a>`;
}

function pathOf(topic: string, { wayUp }: DocumentParts): string {
  return `${wayUp}manual/${topic}`;
}
