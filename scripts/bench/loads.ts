import { openConnection } from "./connections.ts";
import type { Answer, Connection } from "./connections.ts";
import { cpuSeconds, threadSeconds } from "./processes.ts";

/** How busy the load generator was, in shares of a core. */
export interface GeneratorShares {
  readonly computing: number;
  /** This includes waiting for a free core. Near 1, the generator limits the measurement. */
  readonly busy: number;
}

/** The outcome of a load. */
export interface Load {
  readonly answers: number;
  readonly seconds: number;
  /** The processor time of the server for the whole load, in seconds. */
  readonly cpuSeconds: number;
  readonly generator: GeneratorShares;
  /** One for each answer. */
  readonly latenciesMs: readonly number[];
}

export interface LoadOptions {
  readonly port: number;
  /** The process of the server. */
  readonly pid: number;
  readonly connections: number;
  /** Ends the load after this time. */
  readonly seconds: number;
  /** The next request; undefined ends the load. */
  readonly next: () => string | undefined;
  /** Any other status is a failure of the benchmark. */
  readonly expectedStatus: number;
  readonly onAnswer?: (answer: Answer) => void;
  /** The pause of a connection before each request, in milliseconds; none by default. */
  readonly pauseMs?: () => number;
}

/** Keeps every connection busy: each sends its next request as soon as it has the answer to the last one. */
export async function runLoad(options: LoadOptions): Promise<Load> {
  const connections = await Promise.all(
    Array.from({ length: options.connections }, () => openConnection(options.port)),
  );
  const latenciesMs: number[] = [];
  const cpuBefore = cpuSeconds(options.pid);
  const generatorBefore = threadSeconds();
  const start = performance.now();
  const deadline = start + options.seconds * 1000;
  await Promise.all(connections.map((connection) => keepBusy(connection, options, deadline, latenciesMs)));
  const seconds = (performance.now() - start) / 1000;
  const spent = cpuSeconds(options.pid) - cpuBefore;
  const generator = sharesSince(generatorBefore, seconds);
  for (const connection of connections) connection.close();
  return { answers: latenciesMs.length, seconds, cpuSeconds: spent, generator, latenciesMs };
}

function sharesSince(before: ReturnType<typeof threadSeconds>, seconds: number): GeneratorShares {
  const after = threadSeconds();
  const computing = (after.computing - before.computing) / seconds;
  return { computing, busy: computing + (after.waiting - before.waiting) / seconds };
}

async function keepBusy(
  connection: Connection,
  { next, expectedStatus, onAnswer, pauseMs }: LoadOptions,
  deadline: number,
  latenciesMs: number[],
): Promise<void> {
  while (performance.now() < deadline) {
    if (pauseMs) await Bun.sleep(pauseMs());
    const request = next();
    if (request === undefined) return;
    const sentAt = performance.now();
    const answer = await connection.call(request);
    latenciesMs.push(performance.now() - sentAt);
    if (answer.status !== expectedStatus) throw new Error(`a request was answered with ${answer.status}`);
    onAnswer?.(answer);
  }
}
