/*
 * What stands in a document without its script. The classes are those of the page's styles; `document.css` has what
 * these screens need beyond them.
 */

/** The product's mark. */
export const MARK =
  '<svg viewBox="0 0 32 32" aria-hidden="true"><rect class="mark-tile" width="32" height="32" rx="8"/><path class="mark-line" d="M9 6.5v19M9 19a7 7 0 0 1 14 0v6.5"/><circle class="mark-dot" cx="16" cy="22.75" r="2.75"/></svg>';

const icon = (shapes: string) => `<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">${shapes}</svg>`;
const ICONS = {
  link: icon(
    '<path d="M10 13.75a4 4 0 0 0 5.75.25l3-3a4 4 0 0 0-5.7-5.7l-1.3 1.3M14 10.25a4 4 0 0 0-5.75-.25l-3 3a4 4 0 0 0 5.7 5.7l1.3-1.3"/>',
  ),
  lock: icon(
    '<rect x="5" y="10.5" width="14" height="9.5" rx="2"/><path d="M8 10.5V8a4 4 0 0 1 8 0v2.5M12 14.5v1.5"/>',
  ),
  reload: icon('<path d="M19.5 5v4.5H15M19.25 9.5a8 8 0 1 0 .5 4"/>'),
  search: icon('<circle cx="11" cy="11" r="6.5"/><path d="m16 16 4.25 4.25"/>'),
  warning: icon(
    '<path d="M10.7 4.6 3.2 17.7A1.5 1.5 0 0 0 4.5 20h15a1.5 1.5 0 0 0 1.3-2.3L13.3 4.6a1.5 1.5 0 0 0-2.6 0z"/><path d="M12 9.5v4.25M12 16.9v.1"/>',
  ),
};

const fact = (picture: string, text: string, more: string) =>
  `<li>${picture}<span>${text}<small>${more}</small></span></li>`;
const OTHER_BROWSER = fact(
  ICONS.link,
  "Or open the link in another browser",
  "A current Chrome, Edge, Firefox or Safari.",
);

/** The picture beside the line of the foot. */
export const LOCK = ICONS.lock;

/** The picture in the field of a search. */
export const SEARCH = ICONS.search;

/** The tile above the title where there is no JavaScript. */
export const NO_SCRIPT_SEAL = `<div class="seal warn">${ICONS.warning}</div>`;

/** The ways on where there is no JavaScript. */
export const NO_SCRIPT_FACTS = `<ul class="facts">
${fact(ICONS.reload, "Turn it on for this page, then reload", "Some browsers and extensions turn it off for every site.")}
${OTHER_BROWSER}
</ul>`;

/** The screen that appears when the script takes long. It stays where the script was lost or is blocked. */
export const LATE_SCREEN = `<div class="head">${NO_SCRIPT_SEAL}
<h1>This page hasn't loaded yet</h1>
<p class="lede">A part of it is still on its way, or didn't arrive.</p></div>
<ul class="facts">
${fact(ICONS.reload, "Reload the page", "If that doesn't help, something may block its JavaScript.")}
${OTHER_BROWSER}
</ul>`;

/** The screen at an address that nothing answers. */
export const NOWHERE_SCREEN = `<div class="head"><div class="seal">${ICONS.link}</div>
<h1>There's nothing at this address</h1>
<p class="lede">It may be mistyped or cut off. Copy the whole link again.</p></div>`;
