/*
 * The pictures of a document without its script. The classes are those of the page's styles.
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
  search: icon('<circle cx="11" cy="11" r="6.5"/><path d="m16 16 4.25 4.25"/>'),
  warning: icon(
    '<path d="M10.7 4.6 3.2 17.7A1.5 1.5 0 0 0 4.5 20h15a1.5 1.5 0 0 0 1.3-2.3L13.3 4.6a1.5 1.5 0 0 0-2.6 0z"/><path d="M12 9.5v4.25M12 16.9v.1"/>',
  ),
};

/** The picture beside the line of the foot. */
export const LOCK = ICONS.lock;

/** The picture in the field of a search. */
export const SEARCH = ICONS.search;

/** The tiles above a title. */
export const WARNING_SEAL = `<div class="seal warn">${ICONS.warning}</div>`;
export const LINK_SEAL = `<div class="seal">${ICONS.link}</div>`;
