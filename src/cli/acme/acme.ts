import { codeOf, traceOf } from "../../contract/error-traces.ts";
import type { StorageTrouble } from "../../domain/ports/health.ts";
import type { TlsPair } from "../../http/server.ts";
import type { AcmeCertificate, AcmeOptions } from "../server/acme-certificates.ts";
import { CommandError } from "../terminal/terminal.ts";
import { serveChallenges } from "./challenges.ts";
import type { Challenges } from "./challenges.ts";
import { isUsable, openKeptCertificates, readPair, renewalTime } from "./kept-certificates.ts";
import type { KeptCertificates } from "./kept-certificates.ts";

const HOUR_MS = 3_600_000;
/** The pauses between failed attempts. Let's Encrypt takes five failed checks of a name in an hour. */
const PAUSES_MS = { first: 10 * 60_000, most: 24 * HOUR_MS } as const;

const MAX_ORDER_MS = 5 * 60_000;
const CALL_TIMEOUT_MS = 30_000;
const MAX_ANSWER_BYTES = 1024 * 1024;
/** The library waits for as long as the authority says, and a timer of more than 25 days ends at once. */
const LONGEST_PAUSE_SECONDS = 60;
/** RFC 8555, section 8.3. */
const TOKEN = /^[\w-]{22,200}$/;

/**
 * Takes the kept certificate, or gets one if none is valid. Throws CommandError when that fails, and ListenError when
 * `target` can't be listened on.
 */
export async function openAcme(options: AcmeOptions): Promise<AcmeCertificate> {
  const { acme: names, log, now } = options;
  const kept = openKeptCertificates(options.dataFolder);
  const challenges = await serveChallenges(options.target, options.baseUrl);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  let isStopped = false;
  let current: TlsPair;
  try {
    current = await first(options, kept, challenges);
  } catch (error) {
    await challenges.stop();
    throw error;
  }

  const wait = () => {
    const due = isUsable(current, names, now()) ? renewalTime(current) - now() : 0;
    const pause = failures > 0 ? Math.min(PAUSES_MS.first * 2 ** (failures - 1), PAUSES_MS.most) : 0;
    // A clock that is set, or a machine that slept, is noticed within the hour.
    return Math.min(Math.max(due, pause, 0), failures > 0 ? PAUSES_MS.most : HOUR_MS);
  };
  const renewLater = (use: (pair: TlsPair) => void) => {
    if (isStopped) return;
    timer = setTimeout(() => {
      const isDue = failures > 0 || !isUsable(current, names, now()) || renewalTime(current) <= now();
      void (isDue ? attempt(use) : Promise.resolve()).then(() => renewLater(use));
    }, wait());
  };
  const attempt = async (use: (pair: TlsPair) => void) => {
    try {
      current = await order(options, kept, challenges);
      failures = 0;
      // A server that has stopped would listen again.
      if (isStopped) return;
      use(current);
      log.info({ names }, "certificate renewed");
    } catch (error) {
      failures++;
      log.error(
        { names, reason: reasonOf(error) },
        "the certificate can't be renewed: the old one stays, and another try follows",
      );
    }
  };
  return {
    current: () => current,
    troubles: () => (failures === 0 ? [] : [NOT_RENEWED]),
    renew: renewLater,
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await challenges.stop();
    },
  };
}

const NOT_RENEWED: StorageTrouble = {
  code: "certificate_not_renewed",
  message: "The certificate can't be renewed. The log says why. The old one is served until it ends.",
  isSerious: false,
};

async function first(options: AcmeOptions, kept: KeptCertificates, challenges: Challenges): Promise<TlsPair> {
  const { acme: names, acmeDirectory: directory, log, now } = options;
  const found = kept.find();
  // One for other names is better than none: it is replaced at once.
  if (found && isUsable(found, [], now())) return found;
  log.info({ names, directory }, "getting a certificate");
  try {
    return await order(options, kept, challenges);
  } catch (error) {
    throw new CommandError(
      `no certificate for ${names.join(", ")}: ${reasonOf(error)}. Check --acme-directory, the DNS of each name, and that the authority reaches port 80 of this machine, then start it again`,
      "failure",
      error,
    );
  }
}

/** Gets a certificate and keeps it. Rejects with the errors of the library, and when the authority takes too long. */
async function order(options: AcmeOptions, kept: KeptCertificates, challenges: Challenges): Promise<TlsPair> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error("the authority takes too long")), MAX_ORDER_MS);
  return Promise.race([placeOrder(options, kept, challenges), late.promise]).finally(() => clearTimeout(timer));
}

async function placeOrder(options: AcmeOptions, kept: KeptCertificates, { answers }: Challenges): Promise<TlsPair> {
  // Loaded here, so that no other server waits for it.
  const { default: acme } = await import("acme-client");
  // An authority that lies, or hangs, takes neither memory nor time without end.
  Object.assign(acme.axios.defaults, {
    timeout: CALL_TIMEOUT_MS,
    maxContentLength: MAX_ANSWER_BYTES,
    maxRedirects: 0,
    transformResponse: readAnswer,
  });
  const directory = options.acmeDirectory;
  await checkDirectory(directory);
  const found = kept.findAccount();
  const account =
    found?.directory === directory ? found : { directory, key: String(await acme.crypto.createPrivateEcdsaKey()) };
  kept.keepAccount(account);
  // The account's URL is asked for each time: one that was kept would be wrong once the authority has lost the account.
  const client = new acme.Client({ directoryUrl: directory, accountKey: account.key });
  const [key, csr] = await acme.crypto.createCsr(
    { altNames: [...options.acme] },
    await acme.crypto.createPrivateEcdsaKey(),
  );
  const cert = await client.auto({
    csr,
    termsOfServiceAgreed: true,
    ...(options.acmeContact === undefined ? {} : { email: options.acmeContact }),
    challengePriority: ["http-01"],
    // It would ask this machine's own name, which may lead elsewhere from here.
    skipChallengeVerification: true,
    async challengeCreateFn({ identifier }, { token }, answer) {
      if (!options.acme.includes(identifier.value)) throw new Error("the authority asks about another name");
      if (!TOKEN.test(token)) throw new Error("the authority's check has a token that isn't valid");
      answers.set(token, answer);
    },
    challengeRemoveFn: async (_, { token }) => void answers.delete(token),
  });
  const pair = readPair(`${String(key)}\n${cert}`);
  if (!pair || !isUsable(pair, options.acme, options.now())) {
    throw new Error("what the authority sent isn't a certificate for these names");
  }
  kept.keep(pair);
  return pair;
}

/** The data of an answer. Throws an Error when the authority asks for a pause that an order has no time for. */
function readAnswer(text: string, headers: { get(name: string): string | undefined }, status = 0): unknown {
  const data = parseAnswer(text);
  const retryAfter = headers.get("retry-after") ?? "";
  const seconds = /^\d+$/.test(retryAfter) ? Number(retryAfter) : (Date.parse(retryAfter) - Date.now()) / 1000;
  if ((status === 429 || status >= 500) && seconds > LONGEST_PAUSE_SECONDS) {
    throw new Error(`the authority asks for a pause (Retry-After: ${retryAfter})${detailOf(data)}`);
  }
  return data;
}

/** The document, or the text itself: certificates come as PEM. */
function parseAnswer(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function detailOf(data: unknown): string {
  const detail = typeof data === "object" && data !== null && "detail" in data ? data.detail : undefined;
  return typeof detail === "string" ? `: ${detail}` : "";
}

/** Throws an Error with the reason when nothing answers at `url`, which the library would not say. */
async function checkDirectory(url: string): Promise<void> {
  const init = { redirect: "manual", signal: AbortSignal.timeout(CALL_TIMEOUT_MS) } as const;
  const answer = await fetch(url, init).catch((error: unknown) => {
    throw new Error(`${url} can't be reached (${codeOf(error) ?? traceOf(error).error})`);
  });
  await answer.body?.cancel();
  if (!answer.ok) throw new Error(`${url} answers with HTTP ${answer.status}`);
}

/** The authority's words, or the place in the code of an unexpected failure. */
function reasonOf(error: unknown): string {
  if (error instanceof Error && error.message !== "") return error.message;
  return traceOf(error).error;
}
