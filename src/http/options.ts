import type { BlockList } from "node:net";
import type { ErrorCode } from "../contract/error-codes.ts";

/** The proxies that are believed when they say on whose behalf they call. */
export interface TrustedProxies {
  readonly list: BlockList;
  /** True when everybody who reaches the Unix socket is trusted. */
  readonly unix: boolean;
}

/** The least speed of a body. */
export interface BodyPace {
  /** The time before the least speed counts. */
  readonly graceMs: number;
  readonly bytesPerSecond: number;
}

export interface BodyOptions {
  /** The least speed of bodies; `BODY_PACE` unless said otherwise. */
  readonly bodyPace?: BodyPace | undefined;
}

/** A file as it was compressed when the program was built, in base64. */
export interface CompressedFile {
  readonly br: string;
  readonly gzip: string;
}

/** The kinds of places, each with its own script, so that opening a link doesn't load the sending page. */
export const PLACE_KINDS = ["home", "secret", "request", "collect"] as const;
export type PlaceKind = (typeof PLACE_KINDS)[number];

/** The page as it was bundled, and what is shown before its script runs. */
export interface PageSources {
  readonly texts: {
    readonly language: string;
    readonly direction: string;
    readonly name: string;
    readonly loading: string;
    readonly noScript: string;
    /** The line of the foot. */
    readonly promise: string;
  };
  /** Files by name: scripts such as `secret.js` and `worker.js`, their chunks, `app.css`, and pictures. */
  readonly files: Readonly<Record<string, CompressedFile>>;
  /** The names of the chunks that the script of each kind of place needs before it runs. */
  readonly preloads: Readonly<Record<PlaceKind, readonly string[]>>;
}

/**
 * The name, pictures, colours and addresses of the organization that runs the service, as the page shows them. Text in
 * the colours can be read, and the addresses have harmless schemes. Nobody has checked what an SVG contains: serve it in
 * a sandbox.
 */
export interface Brand {
  readonly name?: string | undefined;
  readonly logo?: BrandPicture | undefined;
  /** The logo for dark themes; undefined: `logo` is for both. */
  readonly logoDark?: BrandPicture | undefined;
  readonly colours?: BrandColours | undefined;
  /** Whom to ask: an address that begins with `https:`, `mailto:` or `tel:`. */
  readonly contact?: string | undefined;
  /** An address that begins with `https:` or `http:`. */
  readonly imprint?: string | undefined;
  readonly privacy?: string | undefined;
}

export interface BrandPicture {
  readonly type: "image/svg+xml" | "image/png";
  readonly bytes: Uint8Array;
}

/** The colours of what can be pressed in each theme, in CSS's hexadecimal form. */
export interface BrandColours {
  readonly light: AccentColours;
  readonly dark: AccentColours;
}

/** The page's tokens that a brand replaces, by their names in its styles. */
type AccentColours = Readonly<
  Record<"accent" | "accent-hover" | "accent-press" | "on-accent" | "accent-tint" | "accent-line", string>
>;

/** The headers of an answer, by their names in lower case. */
export type ResponseHeaders = Record<string, string | number>;

/** The log of requests. `error` takes what must be looked into, `warn` what the storage did. Fields that are undefined are left out. */
export interface Log {
  info(fields: Readonly<Record<string, unknown>>, message: string): void;
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
  error(fields: Readonly<Record<string, unknown>>, message: string): void;
}

/** A call that was answered, as it is counted: nothing of it tells one secret, key or caller from another. */
export interface AnsweredCall {
  readonly method: string;
  /** The template of what was asked for; null when there is nothing. */
  readonly route: string | null;
  readonly status: number;
  /** The code of the refusal that answered it. */
  readonly code: ErrorCode | undefined;
  /** True when it was known who called. */
  readonly hasCaller: boolean;
  /** True for somebody at the page who is not signed in, which is no failed authentication. */
  readonly isStranger: boolean;
  /** True when its answer might be held back until something changes. */
  readonly isWait: boolean;
  readonly durationMs: number;
}

/** The one who counts what the server does. */
export interface Observer {
  onAnswer(call: AnsweredCall): void;
  /** Is told at the start what says how many bytes the bodies under way take. */
  watchBodies(takenBytes: () => number): void;
}

/** The options of the service: how it is reached, what it may use, and what is told of it. */
export interface HttpOptions extends BodyOptions {
  /** The origin, and the path if there is one, that links begin with; without a slash at the end. */
  readonly baseUrl: () => string;
  readonly trustedProxies: TrustedProxies;
  /** The bytes that all bodies that are being read, and large answers that are being sent, may take together. */
  readonly bodyMemoryBytes: number;
  /** Origins whose pages may call the API; none by default. */
  readonly corsOrigins: readonly string[];
  readonly log: Log;
  /** True when log lines carry the address of the client. */
  readonly logAddresses: boolean;
  /** Reads the page in, when somebody asks for it; without it there is none. */
  readonly page?: (() => Promise<PageSources>) | undefined;
  /** The brand that the page shows in place of the product's own name and mark; none by default. */
  readonly brand?: Brand | undefined;
  /** Hears of every call that was answered; nobody by default. */
  readonly observer?: Observer | undefined;
  /** The version of the program, for the specification. */
  readonly version: string;
  /** The id of what is stored, by which an admin tells this server from others; undefined while that can't be reached. */
  readonly installation: () => string | undefined;
}

export type RouteOptions = Pick<HttpOptions, "baseUrl" | "bodyPace">;
