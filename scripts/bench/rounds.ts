import { runLoad } from "./loads.ts";
import type { GeneratorShares, Load, LoadOptions } from "./loads.ts";
import { createdId } from "./requests.ts";
import type { Requests } from "./requests.ts";
import { median, quantile } from "./statistics.ts";

export const CONNECTIONS = 64;
/** Compiling hot code takes the runtime some seconds of processor time, once. */
const WARM_UP_SECONDS = 8;
/** The WAL is truncated a second after an erasure; the next measurement shouldn't pay for that. */
const SETTLE_MS = 1500;

/** A server under measurement. */
export interface Subject {
  readonly name: string;
  /** The processes that share the load. */
  readonly servers: readonly { readonly port: number; readonly pid: number }[];
  /** The seconds that a process beside the servers has spent computing so far. */
  readonly moreCpuSeconds?: () => number;
  readonly requests: Requests;
  /** Ids of claimable secrets; the last one is claimed next. */
  readonly claimable: string[];
  /** Puts the claimable secrets into the order of their claims. */
  readonly arrange?: (claimable: string[]) => void;
}

/** The measurements of one kind of request, a figure for each round. */
export interface Measured {
  readonly perSecond: number[];
  /** The processor time of the server for each, in microseconds. */
  readonly cpuMicroseconds: number[];
  readonly generator: GeneratorShares[];
  readonly latenciesMs: number[];
}

export interface SubjectResult {
  readonly creates: Measured;
  readonly claims: Measured;
}

/** Measures the subjects in turn, `rounds` times, so that what disturbs the machine disturbs them all. */
export async function measureRounds(
  subjects: readonly Subject[],
  {
    rounds,
    seconds,
    connections = CONNECTIONS,
  }: { readonly rounds: number; readonly seconds: number; readonly connections?: number },
): Promise<Map<string, SubjectResult>> {
  const results = new Map(
    subjects.map(({ name }) => [name, { creates: nothingMeasured(), claims: nothingMeasured() }]),
  );
  for (const subject of subjects) {
    await create(subject, WARM_UP_SECONDS, { connections });
    subject.arrange?.(subject.claimable);
    await claim(subject, WARM_UP_SECONDS, connections);
  }
  for (let round = 0; round < rounds; round++) {
    for (const subject of subjects) {
      await Bun.sleep(SETTLE_MS);
      const result = results.get(subject.name);
      if (!result) continue;
      note(result.creates, await create(subject, seconds, { connections }));
      subject.arrange?.(subject.claimable);
      note(result.claims, await claim(subject, seconds, connections));
    }
  }
  return results;
}

/** Puts secrets into random order. */
export function shuffle(items: string[]): void {
  for (let i = items.length - 1; i > 0; i--) {
    const j = Math.floor(Math.random() * (i + 1));
    [items[i], items[j]] = [items[j] ?? "", items[i] ?? ""];
  }
}

/** The median over the rounds of how many times as fast `measured` was as `baseline`. */
export function medianRatio(measured: Measured, baseline: Measured): number {
  return medianOfRatios(measured.perSecond, baseline.perSecond);
}

/** The median over the rounds of how many times as much processor time `measured` took as `baseline`. */
export function medianCpuRatio(measured: Measured, baseline: Measured): number {
  return medianOfRatios(measured.cpuMicroseconds, baseline.cpuMicroseconds);
}

function medianOfRatios(values: readonly number[], baselines: readonly number[]): number {
  return median(values.map((value, round) => value / (baselines[round] ?? Number.NaN)));
}

/** The latency, in milliseconds, that the share `fraction` of all requests stayed under. */
export function latency(measured: Measured, fraction: number): number {
  return quantile(measured.latenciesMs, fraction);
}

/** Creates secrets for so many seconds, and records them as claimable. */
export function create(
  subject: Subject,
  seconds: number,
  {
    connections = CONNECTIONS,
    next = subject.requests.create,
  }: Partial<Pick<LoadOptions, "connections" | "next">> = {},
): Promise<Load> {
  const onAnswer = ({ head }: { readonly head: string }) => void subject.claimable.push(createdId(head));
  return loadAll(subject, { connections, seconds, next, expectedStatus: 201, onAnswer });
}

/** Creates `count` secrets, and records them as claimable. */
export async function createMany(subject: Subject, count: number): Promise<void> {
  let left = count;
  await create(subject, Infinity, { next: () => (left-- > 0 ? subject.requests.create() : undefined) });
}

/** Claims secrets for so many seconds, or until there are none. */
export function claim(subject: Subject, seconds: number, connections = CONNECTIONS): Promise<Load> {
  const next = () => {
    const id = subject.claimable.pop();
    return id === undefined ? undefined : subject.requests.claim(id);
  };
  return loadAll(subject, { connections, seconds, next, expectedStatus: 200 });
}

/** Loads all servers of a subject at once, each with its share of the connections. */
async function loadAll(
  { servers, moreCpuSeconds = () => 0 }: Subject,
  options: Omit<LoadOptions, "port" | "pid">,
): Promise<Load> {
  const before = moreCpuSeconds();
  const connections = options.connections / servers.length;
  const loads = await Promise.all(servers.map(({ port, pid }) => runLoad({ ...options, port, pid, connections })));
  const [first] = loads;
  if (!first) throw new Error("there is no server");
  const sum = (figure: (each: Load) => number) => loads.reduce((total, each) => total + figure(each), 0);
  return {
    answers: sum(({ answers }) => answers),
    seconds: Math.max(...loads.map(({ seconds }) => seconds)),
    cpuSeconds: sum(({ cpuSeconds }) => cpuSeconds) + moreCpuSeconds() - before,
    // All loads come from one generator.
    generator: first.generator,
    latenciesMs: loads.flatMap(({ latenciesMs }) => latenciesMs),
  };
}

/** Adds the measurements of a round. */
export function note(measured: Measured, { answers, seconds, cpuSeconds, generator, latenciesMs }: Load): void {
  measured.perSecond.push(answers / seconds);
  measured.cpuMicroseconds.push((cpuSeconds / answers) * 1e6);
  measured.generator.push(generator);
  // Not spread into push: there are too many for the stack.
  for (const each of latenciesMs) measured.latenciesMs.push(each);
}

export function nothingMeasured(): Measured {
  return { perSecond: [], cpuMicroseconds: [], generator: [], latenciesMs: [] };
}
