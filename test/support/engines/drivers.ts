/** What a part of a page is to a person. */
export type PartKind = "heading" | "button" | "field" | "text";

/** The elements among which a part of a kind is found by its name. */
export const SELECTORS: Readonly<Record<PartKind, string>> = {
  heading: "h1",
  button: ":is(button, input[type=submit]):enabled, a[href], summary",
  field: ":is(input, textarea):enabled",
  text: "pre, output, textarea, input, [aria-label]",
};

/** The field of a page that takes files; it may be out of sight, behind a button. */
export const FILE_FIELD = "main input[type=file]";

/** A part of a page that is there now. */
export interface Part {
  /** Where it is, to be compared. */
  place(): Promise<string>;
  press(): Promise<void>;
  fill(text: string): Promise<void>;
  /** All that it holds, also what is out of sight. */
  text(): Promise<string>;
}

/** A file that is to come. */
export interface ExpectedFile {
  readonly name: string;
  readonly bytes: number;
}

/** As little of a browser as each engine has its own way for: one tab, in a profile that knows nothing yet. */
export interface Driver extends AsyncDisposable {
  goto(url: string): Promise<void>;
  reload(): Promise<void>;
  /** The part of this kind that the engine itself calls by exactly this name; undefined when there is none now. */
  find(kind: PartKind, name: string): Promise<Part | undefined>;
  /** Gives a file to the page's field for files. */
  chooseFile(path: string): Promise<void>;
  /** Does what makes the page save a file; resolves with that file once all its bytes have come. */
  download(act: () => Promise<void>, file: ExpectedFile): Promise<Buffer>;
  /** What the page says. */
  words(): Promise<string>;
}

/** A running browser. */
export interface Engine extends AsyncDisposable {
  /** One tab is open at a time. */
  open(): Promise<Driver>;
}
