import type { AskOptions, KeptAgeIdentity } from "../client/asks.ts";
import type { HttpClient } from "../client/http-client.ts";
import type { SendOptions } from "../client/sends.ts";
import type { Person } from "../contract/persons.ts";

export type SentContent = SendOptions["content"];

/** The source of a secret: a link, or a submission for a request of this machine. */
export type SecretSource = { readonly kind: "link"; readonly url: string } | RequestSource;

interface RequestSource {
  readonly kind: "request";
  readonly id: string;
  /** The names of the fields that are used of it; without any, all of it. */
  readonly fields?: readonly string[];
}

/** A secret that can be claimed. Until it is disposed, no other call gets the same secret. */
export interface FoundSecret extends Disposable {
  /** The id of the secret. */
  readonly id: string;
  /** True when an earlier call has claimed it and failed before `finish`. */
  readonly isResumed: boolean;
  /** The minimum size of its content in bytes; 0 when it isn't known before the claim. */
  readonly leastBytes: number;
  /**
   * Asks for an approval where somebody has to approve, unless an earlier call has. Resolves with the ask; undefined
   * where nobody has to approve.
   */
  askApproval(): Promise<AskedApproval | undefined>;
  /** Claims and decrypts the secret. Until `finish`, the call can be repeated within the server's replay window. */
  open(): Promise<OpenedContent>;
}

/** An ask for the approval of a claim. */
export interface AskedApproval {
  /** The three words that the person who decides sees too. */
  readonly words: readonly string[];
  /**
   * Waits for the decision. Resolves true when it is approved, and false when the time is over before that. Throws for
   * everything else.
   */
  wait(seconds: number, onStep: () => Promise<void>): Promise<boolean>;
}

/** A person as a server names them, with that server's host: nobody else vouches for the name. */
type NamedSender = Person & { readonly server: string };

/** The content of a secret, or the value of one of its fields. */
interface Payload {
  /** Text, or the bytes of one file; several files, and text beside files, as a tar archive. */
  readonly bytes: Uint8Array;
  readonly format: "file" | "tar";
  /** The content as text; undefined when it isn't text. */
  readonly text: string | undefined;
  /** True for blank text. */
  readonly isBlank: boolean;
}

/** How what was handed in differs from the fields that were asked for. */
interface FieldDifferences {
  /** The names of the fields that were asked for and not handed in. */
  readonly missing: string[];
  /** The number of fields that were handed in and not asked for. Their names are a stranger's. */
  readonly unasked: number;
}

export interface OpenedContent extends Payload {
  /** Null when it doesn't differ, and when no fields were asked for. */
  readonly differences: FieldDifferences | null;
  /** The person who sent the secret; null when the server names nobody, or can't be asked any more. */
  readonly sender: NamedSender | null;
  /** The value of a field of what was handed in; undefined when there is none. */
  readonly fieldOf: (name: string) => Payload | undefined;
  /** Call it when the secret has been delivered. Resolves with the number of submissions that are left to collect. */
  finish(): Promise<number>;
}

interface WrittenFile {
  /** The absolute path. */
  readonly path: string;
  readonly bytes: number;
  /** Hexadecimal. Null for content that is short enough to be guessed from its hash. */
  readonly sha256: string | null;
}

export interface CommandResult {
  /** 128 plus the number of the signal that ended the command. */
  readonly exit_code: number;
  /** The end of the output, with secrets and this process's credentials masked. */
  readonly stdout: string;
  readonly stderr: string;
  /** True when the beginning of either output was left out. */
  readonly truncated: boolean;
  readonly timed_out: boolean;
}

/** The part of this machine for an agent's calls. `explain` turns their errors into advice without any secret. */
export interface Workspace {
  /** Creates a client of the user's server. */
  connect(signal: AbortSignal): Promise<HttpClient>;
  /** True when the user has an API key, valid or not. */
  hasKey(): Promise<boolean>;
  /** Reads a file of at most `maxBytes` in an allowed folder. */
  readFile(path: string, maxBytes: number): Promise<SentContent>;
  /** Reads an environment variable, if it may be sent. */
  readVariable(name: string): Promise<SentContent>;
  /** Stores the private key of a request that is about to be made. It is on disk when this returns. */
  keepAgeIdentity(request: {
    readonly ageIdentity: string;
    readonly baseUrl: string;
    readonly note: string | null;
    readonly fields: AskOptions["fields"];
    readonly maxSubmissions: number;
  }): KeptAgeIdentity;
  /** A client for a link to a secret of any server, and the ID of the secret. */
  connectByLink(url: string, signal: AbortSignal): Promise<{ readonly client: HttpClient; readonly id: string }>;
  /** The ID in a link to a secret of the user's server. Throws for a link of another one. */
  idOfLink(url: string, client: HttpClient): string;
  /** Finds a secret without claiming it. Throws for fields that the request is known not to ask for. */
  find(source: SecretSource, signal: AbortSignal): Promise<FoundSecret>;
  /** Throws unless a file can be created there: in an allowed folder, new, and with a harmless name. */
  checkNewFile(path: string | undefined): void;
  /**
   * Creates a file with mode 0600, wholly or not at all. A file with the same content may exist. Without `path`, it is
   * in a new folder in the first allowed one, named after the secret's id.
   */
  createFile(
    path: string | undefined,
    secret: FoundSecret,
    content: Pick<OpenedContent, "bytes" | "format">,
  ): Promise<WrittenFile>;
  /** Throws unless the command exists. */
  checkCommand(command: readonly string[]): void;
  /** The reason against putting a secret into this variable, to complete "it …"; undefined for none. */
  riskOfVariable(name: string): string | undefined;
  /** Starts a command with `secrets`, which come `from` these, in its environment. Masks them in its output. */
  start(
    command: readonly string[],
    secrets: Readonly<Record<string, string>>,
    options: { readonly timeoutSeconds: number; readonly signal: AbortSignal; readonly from: readonly FoundSecret[] },
  ): Promise<{ readonly ended: Promise<CommandResult> }>;
  /** Says how claimed secrets can still be used after the call has failed. */
  rescueOf(taken: readonly FoundSecret[]): string;
  /** Explains an error to the model. */
  explain(error: unknown): string;
}
