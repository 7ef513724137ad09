import type { Parser } from "./parsers.ts";

/**
 * The factor beyond proportion that is still put down to the machine: what goes with the square is ten times as much.
 */
const SLACK = 5;
/** The time below which a measurement is noise, in milliseconds. */
const NOISE_MS = 20;
const ATTEMPTS = 3;

/**
 * Describes the first step between two of the sizes, each at most ten times the one before,
 * at which the time goes up out of proportion; undefined when none does.
 */
export async function findJump(
  parser: Parser,
  make: Parser["inputs"][number],
  sizes: readonly number[],
): Promise<string | undefined> {
  let msPerUnit = Infinity;
  for (const size of sizes) {
    const input = make(size);
    const limit = msPerUnit * size;
    let took = await timeOf(parser, input);
    // A machine that does much else is no fault of the parser, nor is what is tidied up after the one before.
    for (let attempt = 1; attempt < ATTEMPTS && took > limit; attempt++) {
      took = Math.min(took, await timeOf(parser, input));
    }
    if (took > limit) return `${nameOf(input)} of ${size}: ${Math.round(took)} ms, and at most ${Math.round(limit)} ms`;
    msPerUnit = (Math.max(took, NOISE_MS) / size) * SLACK;
  }
  return undefined;
}

/**
 * The processor time of this process that it takes, in milliseconds: how much else the machine has to do is not in it.
 */
async function timeOf({ parse }: Parser, input: unknown): Promise<number> {
  const start = process.cpuUsage();
  try {
    await parse(input as never);
  } catch {
    // To be refused is an answer too.
  }
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

function nameOf(input: unknown): string {
  const text =
    typeof input === "string" ? input : new TextDecoder("latin1").decode((input as Uint8Array).subarray(0, 800));
  return JSON.stringify(`${text.slice(0, 60)}…${text.slice(-10)}`);
}
