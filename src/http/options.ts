import type { BlockList } from "node:net";
import type { ErrorCode } from "../contract/error-codes.ts";
import type { NoticeKind } from "../contract/states.ts";
import type { Authenticators } from "../domain/ports/authenticators.ts";
import type { Provider } from "../domain/ports/providers.ts";
import type { AdmissionRules } from "../domain/signing-in/single-sign-on.ts";

/** The proxies whose statements about the client are trusted. */
export interface TrustedProxies {
  readonly list: BlockList;
  /** True when everybody who reaches the Unix socket is trusted. */
  readonly unix: boolean;
}

/** The minimum speed of a body. */
export interface BodyPace {
  /** The time before the minimum applies, in milliseconds. */
  readonly graceMs: number;
  readonly bytesPerSecond: number;
}

export interface BodyOptions {
  /** The minimum speed of bodies; `BODY_PACE` by default. */
  readonly bodyPace?: BodyPace | undefined;
}

/** A file compressed at build time, in base64. */
export interface CompressedFile {
  readonly br: string;
  readonly gzip: string;
}

/**
 * The kinds of place that the page answers at, each with a script of its own: opening a link loads nothing of the code
 * for sending.
 */
export type PlaceKind = "home" | "sign-in" | "login" | "secret" | "request" | "collect";

/** The bundled page, and the texts shown before its script runs. */
export interface PageSources {
  /** The name of the product. */
  readonly name: string;
  /** The texts of the documents by the tags of their languages (BCP 47) in lower case. English is always there. */
  readonly texts: Readonly<Record<string, DocumentTexts>>;
  /**
   * Every file by its name: the scripts of the documents, such as `secret.js`, `worker.js`, `app.css`, the chunks that
   * the scripts load, and pictures.
   */
  readonly files: Readonly<Record<string, CompressedFile>>;
  /** What the script of each kind of place needs before it shows anything. */
  readonly preloads: Readonly<Record<PlaceKind, Preloads>>;
  /** The same for the tabs of a signed-in person, which the script of `home` loads when there is one. */
  readonly person: Preloads;
}

/** What a document says before its script runs, and without it. */
export interface DocumentTexts {
  /** BCP 47. */
  readonly language: string;
  readonly direction: string;
  readonly loading: string;
  /** The line in the footer. */
  readonly promise: string;
  readonly noScript: TitledText;
  /** Said when the script takes long. */
  readonly late: TitledText;
  /** Said at an address that nothing answers, with the text of the link to the start page. */
  readonly nowhere: TitledText & { readonly start: string };
  /** When there is a mail of each kind. */
  readonly mailKinds: Readonly<Record<NoticeKind, string>>;
  /** Said where mails are switched off, with the text of the button, and once they are. */
  readonly mailOff: TitledText & { readonly button: string };
  readonly mailIsOff: TitledText;
  /** Said at an address that switches nothing off any more. */
  readonly mailOffStale: TitledText;
}

interface TitledText {
  readonly title: string;
  readonly text: string;
}

/** The names of chunks that a browser may fetch beside the script that needs them. */
export interface Preloads {
  readonly scripts: readonly string[];
  /** The texts in each language, by its tag (BCP 47) in lower case. */
  readonly texts: Readonly<Record<string, readonly string[]>>;
}

/**
 * The name, pictures, colors and addresses of the organization that runs the service, as the page shows them. The
 * colors have enough contrast for text, and the addresses have harmless schemes. SVGs are not checked: serve them in a
 * sandbox.
 */
export interface Brand {
  readonly name?: string | undefined;
  readonly logo?: BrandPicture | undefined;
  /** The logo for dark themes; undefined: `logo` is for both. */
  readonly logoDark?: BrandPicture | undefined;
  readonly colors?: BrandColors | undefined;
  /** The contact for help: an address that begins with `https:`, `mailto:` or `tel:`. */
  readonly contact?: string | undefined;
  /** An address that begins with `https:` or `http:`. */
  readonly imprint?: string | undefined;
  readonly privacy?: string | undefined;
}

export interface BrandPicture {
  readonly type: "image/svg+xml" | "image/png";
  readonly bytes: Uint8Array;
}

/** The colors of links and buttons in each theme, in CSS's hexadecimal form. */
export interface BrandColors {
  readonly light: AccentColors;
  readonly dark: AccentColors;
}

/** The tokens of the page's styles that a brand replaces, by name. */
type AccentColors = Readonly<
  Record<
    | "accent"
    | "accent-hover"
    | "accent-press"
    | "on-accent"
    | "accent-tint"
    | "accent-line"
    | "flap"
    | "flap-deep"
    | "on-flap",
    string
  >
>;

/** The headers of an answer, by their names in lower case. */
export type ResponseHeaders = Record<string, string | number>;

/**
 * The log of requests. `error` is for what an admin must look into, `warn` for troubles of the storage. Undefined
 * fields are left out.
 */
export interface Log {
  info(fields: Readonly<Record<string, unknown>>, message: string): void;
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
  error(fields: Readonly<Record<string, unknown>>, message: string): void;
}

/** An answered call as metrics count it. It identifies no secret, key or caller. */
export interface AnsweredCall {
  readonly method: string;
  /** The template of the route; null when none matched. */
  readonly route: string | null;
  readonly status: number;
  /** The error code, when the call was refused. */
  readonly code: ErrorCode | undefined;
  /** True when the caller was authenticated. */
  readonly hasCaller: boolean;
  /** True for a page visitor without a session, which is no failed authentication. */
  readonly isStranger: boolean;
  /** True when the answer may be held back until something changes. */
  readonly isWait: boolean;
  readonly durationMs: number;
}

/** Counts what the server does. */
export interface Observer {
  onAnswer(call: AnsweredCall): void;
  /** Called at startup with a function that returns the bytes taken by bodies in progress. */
  watchBodies(takenBytes: () => number): void;
}

/** A provider, which is loaded on first use, and whom it lets in. */
export interface SingleSignOnOptions {
  readonly provider: () => Promise<Provider>;
  readonly rules: AdmissionRules;
}

/** The options of the service: addresses, resources, and observers. */
export interface HttpOptions extends BodyOptions {
  /** The origin, and the path if there is one, that links begin with; without a slash at the end. */
  readonly baseUrl: () => string;
  readonly trustedProxies: TrustedProxies;
  /** The memory budget for all bodies being read and large answers being sent. */
  readonly bodyMemoryBytes: number;
  /** Origins whose pages may call the API; none by default. */
  readonly corsOrigins: readonly string[];
  readonly log: Log;
  /** True when log lines carry the address of the client. */
  readonly logAddresses: boolean;
  /** Reads the page on first use; without it there is no page. */
  readonly page?: (() => Promise<PageSources>) | undefined;
  /** The brand that the page shows in place of the product's own name and mark; none by default. */
  readonly brand?: Brand | undefined;
  /** Loads what verifies passkeys, on first use; without it there are no passkeys. */
  readonly authenticators?: (() => Promise<Authenticators>) | undefined;
  /** Single sign-on; without it there is none. */
  readonly singleSignOn?: SingleSignOnOptions | undefined;
  /** Called when a mail was queued. */
  readonly wakeMails?: (() => void) | undefined;
  /** Observes every answered call; none by default. */
  readonly observer?: Observer | undefined;
  /** The version of the program, for the specification. */
  readonly version: string;
  /**
   * The ID of the storage, by which an admin tells this server from others; undefined while the storage is unreachable.
   */
  readonly installation: () => string | undefined;
}

export type RouteOptions = Pick<HttpOptions, "baseUrl" | "bodyPace">;
