import { openConnection } from "./connections.ts";
import type { Answer, Connection } from "./connections.ts";
import { cpuSeconds } from "./processes.ts";

/** The outcome of a load. */
export interface Load {
  readonly answers: number;
  readonly seconds: number;
  /** The processor time of the server for all of it together, in seconds. */
  readonly cpuSeconds: number;
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
  /** Every other status is a failure of the benchmark. */
  readonly expectedStatus: number;
  readonly onAnswer?: (answer: Answer) => void;
}

/** Keeps every connection busy: each sends its next request as soon as it has the answer to the last one. */
export async function runLoad(options: LoadOptions): Promise<Load> {
  const connections = await Promise.all(
    Array.from({ length: options.connections }, () => openConnection(options.port)),
  );
  const latenciesMs: number[] = [];
  const cpuBefore = cpuSeconds(options.pid);
  const start = performance.now();
  const deadline = start + options.seconds * 1000;
  await Promise.all(connections.map((connection) => keepBusy(connection, options, deadline, latenciesMs)));
  const seconds = (performance.now() - start) / 1000;
  const spent = cpuSeconds(options.pid) - cpuBefore;
  for (const connection of connections) connection.close();
  return { answers: latenciesMs.length, seconds, cpuSeconds: spent, latenciesMs };
}

async function keepBusy(
  connection: Connection,
  { next, expectedStatus, onAnswer }: LoadOptions,
  deadline: number,
  latenciesMs: number[],
): Promise<void> {
  for (let sentAt = performance.now(); sentAt < deadline; sentAt = performance.now()) {
    const request = next();
    if (request === undefined) return;
    const answer = await connection.call(request);
    latenciesMs.push(performance.now() - sentAt);
    if (answer.status !== expectedStatus) throw new Error(`a request was answered with ${answer.status}`);
    onAnswer?.(answer);
  }
}
