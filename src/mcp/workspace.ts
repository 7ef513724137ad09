import type { KeptAgeIdentity } from "../client/asks.ts";
import type { HttpClient } from "../client/http-client.ts";
import type { SendOptions } from "../client/sends.ts";
import type { Person } from "../contract/persons.ts";

export type SentContent = SendOptions["content"];

/** The source of a secret: a link, or what was handed in for a request of this machine. */
export type SecretSource =
  { readonly kind: "link"; readonly url: string } | { readonly kind: "request"; readonly id: string };

/** A secret that can be had, and that nobody has used up yet. Until it is disposed of, no other call gets the same. */
export interface FoundSecret extends Disposable {
  /** Its id. */
  readonly id: string;
  /** True when an earlier call has claimed it and came to no end. */
  readonly isResumed: boolean;
  /** The least bytes that it has; 0 when that is not known before it is claimed. */
  readonly leastBytes: number;
  /** Claims and decrypts it. Until `finish` the same call can be made again, for as long as the server allows that. */
  open(): Promise<OpenedContent>;
}

/** A person whom a server names, and the host of that server: nobody else vouches for them. */
type NamedSender = Person & { readonly server: string };

export interface OpenedContent {
  /** The person who sent it; null when the server names nobody, or doesn't answer where it isn't needed any more. */
  readonly sender: NamedSender | null;
  /** Text or the content of one file; several files, and text beside files, as a tar archive. */
  readonly bytes: Uint8Array;
  readonly format: "file" | "tar";
  /** The content as text; undefined when it is none. */
  readonly text: string | undefined;
  /** True when it is a text with nothing in it. */
  readonly isBlank: boolean;
  /** The secret is where it belongs. Resolves with how many others can be collected from the same request then. */
  finish(): Promise<number>;
}

interface WrittenFile {
  /** The absolute path. */
  readonly path: string;
  readonly bytes: number;
  /** Hexadecimal. Null for what is so short that it could be found by trying. */
  readonly sha256: string | null;
}

export interface CommandResult {
  /** 128 and the number of the signal when one ended it. */
  readonly exit_code: number;
  /** The end of what was put out, with the values of secrets and the credentials of this process masked. */
  readonly stdout: string;
  readonly stderr: string;
  /** True when the beginning of either was left out. */
  readonly truncated: boolean;
  readonly timed_out: boolean;
}

/**
 * The part of this machine that calls of an agent may touch. Every method throws errors whose `explain` says what to
 * do, and never has a token, a key or plaintext in it.
 */
export interface Workspace {
  /** A client of the server that this user works with. */
  connect(signal: AbortSignal): Promise<HttpClient>;
  /** True when this user has an API key, which may turn out to be none that the server takes. */
  hasKey(): Promise<boolean>;
  /** Reads a file of at most `maxBytes` in an allowed folder. */
  readFile(path: string, maxBytes: number): Promise<SentContent>;
  /** The value of a variable of the environment, if it is one of those that may be sent. */
  readVariable(name: string): Promise<SentContent>;
  /** Keeps what opens the answers to a request that is about to be made, on disk when it returns. */
  keepAgeIdentity(request: {
    readonly ageIdentity: string;
    readonly baseUrl: string;
    readonly note: string | null;
  }): KeptAgeIdentity;
  /** Uses nothing up. */
  find(source: SecretSource, signal: AbortSignal): Promise<FoundSecret>;
  /** Makes sure that a file can be made there: in an allowed folder, where none is, with a name that nothing obeys. */
  checkNewFile(path: string | undefined): void;
  /**
   * Makes a file, 0600, wholly or not at all; one with the same content may be there already. Without `path` it is in a new
   * folder in the first of the allowed ones, named after the secret's id.
   */
  createFile(
    path: string | undefined,
    secret: FoundSecret,
    content: Pick<OpenedContent, "bytes" | "format">,
  ): Promise<WrittenFile>;
  /** Makes sure that there is such a command. */
  checkCommand(command: readonly string[]): void;
  /**
   * The reason why no secret is to be put into this variable of a command, to complete "it …"; undefined when one may.
   */
  riskOfVariable(name: string): string | undefined;
  /** Starts a command with `secrets` in its environment, which it got `from` these, and masks them in what it puts out. */
  start(
    command: readonly string[],
    secrets: Readonly<Record<string, string>>,
    options: { readonly timeoutSeconds: number; readonly signal: AbortSignal; readonly from: readonly FoundSecret[] },
  ): Promise<{ readonly ended: Promise<CommandResult> }>;
  /**
   * A sentence about what can still be done with secrets that were taken and cannot be used as they were meant to be.
   */
  rescueOf(taken: readonly FoundSecret[]): string;
  /** The sentence for an error. */
  explain(error: unknown): string;
}
