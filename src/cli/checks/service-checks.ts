import { readFileSync } from "node:fs";
import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { toNetworkError } from "../../client/network-errors.ts";
import { unknownVariables } from "../../config/load.ts";
import type { Settings } from "../../config/settings.ts";
import type { Environment } from "../../config/sources.ts";
import { checkDates, howToReadAgain } from "../server/certificate-dates.ts";
import { readTls } from "../server/certificates.ts";
import { UNIT } from "../server/units.ts";
import { failed, fine, sentenceOf, warning } from "./findings.ts";
import type { Finding } from "./findings.ts";

const DAY_MS = 86_400_000;
/** The days before its end at which a certificate should have been renewed. */
const CERTIFICATE_DAYS = 14;
const PATIENCE_MS = 5000;
/** The time in which a proxy that does not take a body has said so. */
const REFUSAL_MS = 2000;
/** The answers of a proxy that can't reach what is behind it. */
const PROXY_ALONE: readonly number[] = [502, 503, 504];
const UNIT_PATH = "/etc/systemd/system/handoff.service";

/** Names the variables of `env` that are named as settings are, and are none. */
export function checkVariables(env: Environment): Finding[] {
  return unknownVariables(env).map(({ name, nearest }) =>
    warning("variables", `No setting has the name ${name}, so it does nothing. The nearest name is ${nearest}.`),
  );
}

/** Looks at the certificate that the settings name. */
export function checkCertificate(settings: Settings, now: number): Finding[] {
  try {
    const tls = readTls(settings);
    if (!tls) return [];
    const complaints: string[] = [];
    const dates = checkDates(tls, settings.tlsCert ?? "", now, { warn: (_, message) => complaints.push(message) });
    const [complaint] = complaints;
    if (complaint !== undefined) return [failed("certificate", sentenceOf(new Error(complaint)))];
    const days = Math.floor((Date.parse(dates?.not_after ?? "") - now) / DAY_MS);
    const text = `It ends in ${days} days (${dates?.not_after}).`;
    if (days >= CERTIFICATE_DAYS) return [fine("certificate", text)];
    return [warning("certificate", `${text} Renew it, then ${howToReadAgain(settings.tlsCert ?? "")}.`)];
  } catch (error) {
    return [failed("certificate", sentenceOf(error))];
  }
}

/** Calls the server at its base URL, as clients do, and asks whether a body as large as it takes gets there. */
export async function checkBaseUrl(settings: Settings): Promise<Finding[]> {
  const { baseUrl } = settings;
  if (baseUrl === undefined) {
    return [
      warning(
        "base URL",
        "--base-url isn't set, so links begin with the address listened on. Set HANDOFF_BASE_URL in /etc/handoff/env",
      ),
    ];
  }
  const reached = await reach(baseUrl);
  if (reached.level === "failed") return [reached];
  return [reached, await checkBodies(baseUrl, settings.maxCiphertext)];
}

async function reach(baseUrl: string): Promise<Finding> {
  try {
    const answer = await fetch(`${baseUrl}/openapi.json`, {
      redirect: "manual",
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    if (answer.status >= 300 && answer.status < 400) {
      return failed("base URL", `${baseUrl} leads elsewhere (${answer.status}). Set --base-url to where it leads.`);
    }
    if (PROXY_ALONE.includes(answer.status)) {
      return failed(
        "base URL",
        `The proxy at ${baseUrl} doesn't reach handoff (${answer.status}). Look at the proxy's configuration, and run: systemctl status handoff`,
      );
    }
    const document: unknown = await answer.json().catch(() => undefined);
    if (answer.ok && isOurs(document)) return fine("base URL", `${baseUrl} answers, and it is handoff.`);
    return failed(
      "base URL",
      `Something else than handoff answers at ${baseUrl} (${answer.status}). Look at the proxy's configuration.`,
    );
  } catch (error) {
    const { code, message } = toNetworkError(error, baseUrl);
    if (code === "tls_untrusted") return failed("base URL", `Can't call ${baseUrl} from here. ${message}`);
    return failed(
      "base URL",
      `Can't reach ${baseUrl} from here: ${sentenceOf(error)} Check the DNS, the proxy, and: systemctl status handoff`,
    );
  }
}

function isOurs(document: unknown): boolean {
  return JSON.stringify(document ?? null).includes('"title":"handoff');
}

/**
 * Declares a body as large as the server takes, and sends none of it: a proxy that takes less says so at once, and anything else
 * waits for it, or refuses the missing credential.
 */
async function checkBodies(baseUrl: string, maxCiphertext: number): Promise<Finding> {
  const bytes = maxCiphertext + 1024;
  const status = await declareBody(`${baseUrl}/api/v1/secrets`, bytes);
  if (status !== 413) return fine("proxy", "A body as large as --max-ciphertext gets through.");
  const mebibytes = Math.ceil((bytes * 1.4) / (1024 * 1024));
  return failed(
    "proxy",
    `The proxy refuses bodies that handoff takes. Raise its limit, in nginx: client_max_body_size ${mebibytes}m;`,
  );
}

function declareBody(url: string, bytes: number): Promise<number | undefined> {
  const send = url.startsWith("https:") ? requestHttps : requestHttp;
  return new Promise((resolve) => {
    const request = send(url, {
      method: "POST",
      headers: { "content-type": "application/json", "content-length": bytes },
    });
    const finish = (status: number | undefined) => {
      resolve(status);
      request.destroy();
    };
    request.on("response", ({ statusCode }) => finish(statusCode));
    request.on("error", () => finish(undefined));
    request.setTimeout(REFUSAL_MS, () => finish(undefined));
    request.flushHeaders();
  });
}

/** Compares the installed unit with the one that this version prints. */
export function checkUnit(path = UNIT_PATH): Finding[] {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    // It may be run in another way.
    return [];
  }
  const lines = new Set(text.split("\n").map((line) => line.trim()));
  const missing = UNIT.split("\n").filter((line) => /^[A-Z]\w*=/.test(line) && !lines.has(line));
  if (missing.length === 0) return [fine("unit", `'${path}' is as this version prints it.`)];
  return [
    warning(
      "unit",
      `'${path}' lacks ${missing.length} lines of the unit that this version prints, such as ${missing[0]}. Compare: handoff admin service | diff ${path} -`,
    ),
  ];
}
