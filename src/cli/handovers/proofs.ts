import { ClientError } from "../../client/errors.ts";
import type { HttpClient } from "../../client/http-client.ts";
import { beginProof, completeProof, proveOwnAddress } from "../../client/signing-in/proofs.ts";
import type { ProofSubject } from "../../client/signing-in/proofs.ts";
import type { Proof } from "../../contract/persons.ts";
import { remark } from "../terminal/terminal.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { connectAsPerson } from "./connections.ts";

const ADDRESS = /^\S+@[^\s@]+$/;
const MAX_ADDRESS_LENGTH = 254;
const CODE = /^[0-9]{8}$/;

/** A secret or a request that is for chosen people. */
export interface ChosenSubject extends ProofSubject {
  /** A client with the token of its link. */
  readonly client: HttpClient;
  /** The people, as the server shows them to the holder of the link. */
  readonly addressees: readonly string[];
}

/** True for the error of a use without a proof that counts. */
export function isUnproven(error: unknown): error is ClientError {
  return error instanceof ClientError && error.code === "proof_required";
}

/**
 * Uses a secret or request for chosen people, with the token of a proof. The address of a login by the browser is
 * proven without a question. If there is none, or it wasn't chosen, the person at the terminal proves one by a code
 * that is mailed there. Throws ClientError, `proof_required` without a terminal, and CommandError.
 */
export async function withProof<T>(
  terminal: Terminal,
  subject: ChosenSubject,
  use: (proofToken: string) => Promise<T>,
): Promise<T> {
  const own = await proveByLogin(terminal, subject);
  const chosen = `This is for ${subject.addressees.join(", ")}.`;
  if (own) {
    if (terminal.isTerminal.err) remark(terminal, `${chosen} Your login proves that you are ${own.address}.`);
    try {
      return await use(own.proof_token);
    } catch (error) {
      if (!isUnproven(error)) throw error;
    }
  }
  let meaning = own ? `${chosen} It isn't for ${own.address}, who is logged in here.` : chosen;
  for (;;) {
    const proofToken = await proveByMail(terminal, subject, meaning);
    try {
      return await use(proofToken);
    } catch (error) {
      if (!isUnproven(error)) throw error;
      meaning = "The proof has ended.";
    }
  }
}

/** The proof of the address that is logged in by the browser; undefined when that proves nothing. */
async function proveByLogin(terminal: Terminal, { client, id }: ChosenSubject): Promise<Proof | undefined> {
  try {
    const person = await connectAsPerson(terminal, client.baseUrl);
    return person && (await proveOwnAddress(person, id));
  } catch (error) {
    // The login may have ended. There is another way.
    if (error instanceof ClientError && error.code !== "interrupted") return undefined;
    throw error;
  }
}

/** Has the person at the terminal prove an address. Resolves the token of the proof. `meaning` says why. */
async function proveByMail(terminal: Terminal, subject: ChosenSubject, meaning: string): Promise<string> {
  if (terminal.isTerminal.err) terminal.say(`${meaning} A code that comes by mail proves who you are.`);
  const ask = askerOf(terminal, meaning);
  const { client } = subject;
  let address = await askAddress(terminal, ask);
  for (;;) {
    const proofToken = await beginProof(client, subject, { address, language: languageOf(terminal) }).catch(
      (error: unknown) => {
        throw error instanceof ClientError && error.code === "not_found" ? unprovable(meaning) : error;
      },
    );
    terminal.say(`If it's for ${address}, a code is on its way there.`);
    const outcome = await askCode(terminal, ask, (code) => completeProof(client, subject, { proofToken, code }));
    if (outcome === "proven") return proofToken;
    const isAgain = outcome === "over" && /^(y(es)?)?$/i.test(await ask(`Send a new code to ${address}? [Y/n] `));
    if (!isAgain) address = await askAddress(terminal, ask);
  }
}

/** Asks at the terminal; without one, throws ClientError `proof_required`. */
type Ask = (question: string) => Promise<string>;

function askerOf(terminal: Terminal, meaning: string): Ask {
  return async (question) => {
    const answer = await terminal.ask(question);
    if (answer === undefined) throw unprovable(meaning);
    return answer.trim();
  };
}

async function askAddress(terminal: Terminal, ask: Ask): Promise<string> {
  for (;;) {
    const address = await ask("Your address: ");
    if (ADDRESS.test(address) && address.length <= MAX_ADDRESS_LENGTH) return address;
    terminal.say("That isn't an address. One looks like ann@example.com.");
  }
}

/** Asks for the code until it is right, can't be right any more, or another address is wanted. */
async function askCode(
  terminal: Terminal,
  ask: Ask,
  complete: (code: string) => Promise<unknown>,
): Promise<"proven" | "over" | "elsewhere"> {
  for (;;) {
    const code = (await ask("Code (Enter alone to change the address): ")).replaceAll(/[\s-]/g, "");
    if (code === "") return "elsewhere";
    try {
      if (!CODE.test(code)) throw new ClientError("code_invalid", "usage", "A code has 8 digits.");
      await complete(code);
      return "proven";
    } catch (error) {
      if (!(error instanceof ClientError)) throw error;
      if (error.code === "code_expired") {
        terminal.say(error.meaning);
        return "over";
      }
      if (error.code !== "code_invalid") throw error;
      terminal.say(error.message);
    }
  }
}

function unprovable(meaning: string): ClientError {
  const advice =
    "To prove who you are, log in with 'handoff login --browser', run this on a terminal, or open the link in a browser.";
  return new ClientError("proof_required", "failure", { meaning, advice });
}

/** The language of the environment (BCP 47); English where it names none. */
function languageOf({ env }: Terminal): string {
  const [, language, region] =
    /^([a-z]{2,3})(?:[_-]([A-Za-z]{2}))?(?:[.@]|$)/.exec(env["LC_ALL"] || env["LC_MESSAGES"] || env["LANG"] || "") ??
    [];
  return [language ?? "en", region].filter((part) => part !== undefined).join("-");
}
