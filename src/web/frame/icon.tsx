/** The path of each icon, in a box of 24 by 24. Lines take the color of the text. */
const SHAPES = {
  alarm: "M3.5 12a8.5 8.5 0 1 0 17 0 8.5 8.5 0 1 0-17 0zM12 7.75v5M12 16v.1",
  check: "m5 12.75 4.5 4.5L19 7.25",
  chevron: "m6.5 9.5 5.5 5.5 5.5-5.5",
  close: "M6 6l12 12M18 6 6 18",
  copy: "M10.5 8.5h7.5a2 2 0 0 1 2 2v7.5a2 2 0 0 1-2 2h-7.5a2 2 0 0 1-2-2v-7.5a2 2 0 0 1 2-2zM15.5 8.5V6A2 2 0 0 0 13.5 4H6a2 2 0 0 0-2 2v7.5a2 2 0 0 0 2 2h2.5",
  download: "M12 4v11M7.5 11l4.5 4.5 4.5-4.5M4.5 19.75h15",
  expired:
    "M6.5 3.75h11M6.5 20.25h11M8 3.75v3.5c0 2.25 4 3 4 4.75s-4 2.5-4 4.75v3.5M16 3.75v3.5c0 2.25-4 3-4 4.75s4 2.5 4 4.75v3.5",
  "eye-off":
    "M10 6a8.6 8.6 0 0 1 2-.25c6 0 9.25 6.25 9.25 6.25a15.5 15.5 0 0 1-2.5 3.25M6.5 7.5A14.5 14.5 0 0 0 2.75 12S6 18.25 12 18.25a9 9 0 0 0 4.25-1.05M10 10.1a2.75 2.75 0 0 0 3.9 3.9M4 4l16 16",
  eye: "M2.75 12S6 5.75 12 5.75 21.25 12 21.25 12 18 18.25 12 18.25 2.75 12 2.75 12zM9.25 12a2.75 2.75 0 1 0 5.5 0 2.75 2.75 0 1 0-5.5 0z",
  file: "M13.5 3.5H7A1.5 1.5 0 0 0 5.5 5v14A1.5 1.5 0 0 0 7 20.5h10a1.5 1.5 0 0 0 1.5-1.5V8.5zM13.5 3.5v5h5",
  files:
    "M13 3.5H9.5A1.5 1.5 0 0 0 8 5v10.5A1.5 1.5 0 0 0 9.5 17H18a1.5 1.5 0 0 0 1.5-1.5V9.75zM13 3.5v6.25h6.5M4.5 8v11A1.5 1.5 0 0 0 6 20.5h9",
  form: "M6 4.5h12a2 2 0 0 1 2 2v11a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2v-11a2 2 0 0 1 2-2zM8 9.25h8M8 14.25h4",
  image:
    "M5.5 4.5h13a2 2 0 0 1 2 2v11a2 2 0 0 1-2 2h-13a2 2 0 0 1-2-2v-11a2 2 0 0 1 2-2zM7.25 9.5a1.5 1.5 0 1 0 3 0 1.5 1.5 0 1 0-3 0zM4 17l4.75-4.5 3 2.75 3.75-4L20 16",
  inbox:
    "M4 13.5 6.25 6A1.5 1.5 0 0 1 7.7 5h8.6a1.5 1.5 0 0 1 1.45 1L20 13.5V18a1.5 1.5 0 0 1-1.5 1.5h-13A1.5 1.5 0 0 1 4 18zM4.25 13.5H8.5a3.5 3.5 0 0 0 7 0h4.25",
  key: "M4 15.5a4 4 0 1 0 8 0 4 4 0 1 0-8 0zM11 12.5l8.5-8.5M16 7.5l3 3M13.5 10l1.75 1.75",
  link: "M10 13.75a4 4 0 0 0 5.75.25l3-3a4 4 0 0 0-5.7-5.7l-1.3 1.3M14 10.25a4 4 0 0 0-5.75-.25l-3 3a4 4 0 0 0 5.7 5.7l1.3-1.3",
  lock: "M7 10.5h10a2 2 0 0 1 2 2v5.5a2 2 0 0 1-2 2h-10a2 2 0 0 1-2-2v-5.5a2 2 0 0 1 2-2zM8 10.5V8a4 4 0 0 1 8 0v2.5M12 14.5v1.5",
  offline:
    "M3.5 9A13 13 0 0 1 8 6.25M12 5.25c3.3 0 6.25 1.4 8.5 3.75M6.75 12.5A8 8 0 0 1 10 10.6M15 11a8 8 0 0 1 2.25 1.5M10 16a3 3 0 0 1 4 0M12 19v.1M4 4l16 16",
  opened: "M4 10.25 12 4l8 6.25V18.5a1.5 1.5 0 0 1-1.5 1.5h-13A1.5 1.5 0 0 1 4 18.5zM4.25 10.75l7.75 5 7.75-5",
  plus: "M12 5v14M5 12h14",
  refresh: "M19.5 5v4.5H15M19.25 9.5a8 8 0 1 0 .5 4",
  revoked: "M8.75 5 4.5 9.25l4.25 4.25M5 9.25h9.25a5 5 0 0 1 0 10H10",
  sealed: "M5.5 5.5h13a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2h-13a2 2 0 0 1-2-2v-9a2 2 0 0 1 2-2zM4 7l8 6.25L20 7",
  search: "M4.5 11a6.5 6.5 0 1 0 13 0 6.5 6.5 0 1 0-13 0zM16 16l4.25 4.25",
  signout: "M13.5 4.5H6.5A1.5 1.5 0 0 0 5 6v12a1.5 1.5 0 0 0 1.5 1.5h7M10.5 12H20M16.5 8.5 20 12l-3.5 3.5",
  success: "M3.5 12a8.5 8.5 0 1 0 17 0 8.5 8.5 0 1 0-17 0zM8.25 12.25l2.6 2.6 5-5.35",
  text: "M5 6.5h14M5 12h14M5 17.5h8",
  trash:
    "M4.5 6.75h15M9.5 6.75V5A1.25 1.25 0 0 1 10.75 3.75h2.5A1.25 1.25 0 0 1 14.5 5v1.75M6.5 6.75l.75 12a1.5 1.5 0 0 0 1.5 1.5h6.5a1.5 1.5 0 0 0 1.5-1.5l.75-12M10 10.75v5.5M14 10.75v5.5",
  waiting: "M3.5 12a8.5 8.5 0 1 0 17 0 8.5 8.5 0 1 0-17 0zM12 7.25V12l3.25 2",
  warning:
    "M10.7 4.6 3.2 17.7A1.5 1.5 0 0 0 4.5 20h15a1.5 1.5 0 0 0 1.3-2.3L13.3 4.6a1.5 1.5 0 0 0-2.6 0zM12 9.5v4.25M12 16.9v.1",
};

export type IconName = keyof typeof SHAPES;

/** Icons that show a direction of reading or leaving, and turn with the language. */
const TURNING: ReadonlySet<IconName> = new Set(["form", "revoked", "signout", "text"]);

/** An icon beside a word of the same meaning: screen readers skip it. */
export function Icon({ name, class: extra }: { readonly name: IconName; readonly class?: string }) {
  const turning = TURNING.has(name) ? "turning" : undefined;
  return <Drawing shape={SHAPES[name]} class={[turning, extra].filter(Boolean).join(" ")} />;
}

/** The same of a shape that few screens have, and not all of them load. */
export function Drawing({ shape, class: extra = "" }: { readonly shape: string; readonly class?: string }) {
  return (
    <svg class={`icon ${extra}`.trim()} viewBox="0 0 24 24" aria-hidden="true">
      <path d={shape} />
    </svg>
  );
}

/** The product's mark, in the colors of the page. */
export function Mark() {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true">
      <rect class="mark-tile" width="32" height="32" rx="8" />
      <path class="mark-line" d="M9 6.5v19M9 19a7 7 0 0 1 14 0v6.5" />
      <circle class="mark-dot" cx="16" cy="22.75" r="2.75" />
    </svg>
  );
}
