import { toNetworkError } from "../../client/network-errors.ts";
import type { Settings } from "../../config/settings.ts";
import { toCertificateError } from "../handovers/certificate-errors.ts";
import { failed, fine, warning } from "./findings.ts";
import type { Finding } from "./findings.ts";
import { declareBody, probe, textIn } from "./probes.ts";
import type { ProbeAnswer } from "./probes.ts";
import { checkServedCertificate } from "./served-certificates.ts";

const MIB = 1024 * 1024;
/** Statuses with which a proxy answers when it can't reach the server. */
const PROXY_ALONE: readonly number[] = [502, 503, 504];
/** An address that nobody has (RFC 5737): it shows whether the server believes X-Forwarded-For. */
const NOBODYS_ADDRESS = "192.0.2.1";
/** Number of characters of an installation's ID that are shown. */
const ID_LETTERS = 8;

/**
 * Calls the server at its base URL, as clients do. Checks that it serves the database with the ID `installation`, the
 * prefix of its links, the end of its certificate, and what a proxy does to bodies and addresses. Changes nothing; two
 * of the calls count as failed authentications.
 */
export async function checkBaseUrl(
  settings: Settings,
  installation: string | undefined,
  now: number,
): Promise<Finding[]> {
  const { baseUrl } = settings;
  if (baseUrl === undefined) {
    return [
      warning(
        "base URL",
        "--base-url isn't set, so links begin with the address listened on. Set HANDOFF_BASE_URL in /etc/handoff/env",
      ),
    ];
  }
  try {
    const live = await probe(`${baseUrl}/health/live`);
    if (PROXY_ALONE.includes(live.status)) {
      const text = `The proxy at ${baseUrl} doesn't reach handoff (${live.status}).`;
      return [failed("base URL", `${text} ${await whereToLook(settings, installation)}`)];
    }
    const reached = judgeAnswer(baseUrl, live, installation);
    if (reached.level === "failed") return [reached];
    return [
      reached,
      ...(await checkServedCertificate(baseUrl, now)),
      await checkHealth(baseUrl),
      await checkLinks(baseUrl),
      await checkBodies(baseUrl, settings.maxCiphertext),
      await checkClients(baseUrl, live, settings),
    ];
  } catch (error) {
    const { code, message } = toCertificateError(error) ?? toNetworkError(error, baseUrl);
    const text = `Can't call ${baseUrl} from here. ${message}`;
    if (code === "tls_untrusted") return [failed("base URL", text)];
    return [failed("base URL", `${text} ${await whereToLook(settings, installation)}`)];
  }
}

/** Returns a sentence on where to look when handoff doesn't answer at the base URL. */
async function whereToLook({ listen, tlsCert, acme }: Settings, installation: string | undefined): Promise<string> {
  const port = /:(\d+)$/.exec(listen)?.[1];
  const isUnix = listen.startsWith("unix:");
  if (tlsCert !== undefined || acme.length > 0 || port === "0" || installation === undefined) {
    return "Look at the DNS and the proxy, and run: systemctl status handoff";
  }
  // Without a host, or with a wildcard, it listens on localhost too.
  const host = listen.replace(/:\d+$/, "").replace(/^$|^0\.0\.0\.0$|^\[::\]$/, "localhost");
  const answer = isUnix
    ? probe("http://localhost/health/live", { unix: listen.slice("unix:".length) })
    : probe(`http://${host}:${port}/health/live`);
  const json = await answer.then((found) => found.json).catch(() => undefined);
  return textIn(json, "installation") === installation
    ? `The server itself answers at ${listen}: look at the DNS and the proxy, and whether the proxy may connect there.`
    : `The server of this database doesn't answer at ${listen} either. Run: systemctl status handoff`;
}

/** Reports the storage troubles that the server names. */
async function checkHealth(baseUrl: string): Promise<Finding> {
  const { status, json } = await probe(`${baseUrl}/health/ready`);
  const troubles: unknown[] =
    typeof json === "object" && json !== null && "troubles" in json && Array.isArray(json.troubles)
      ? json.troubles
      : [];
  const text = troubles.map((trouble) => textIn(trouble, "message")).join(" ");
  if (status === 200 && text === "") return fine("health", "The server has no trouble with its storage.");
  const finding = status === 200 ? warning : failed;
  return finding(
    "health",
    text || `/health/ready answers ${status}. Look at the log: sudo journalctl -u handoff -n 50`,
  );
}

function judgeAnswer(baseUrl: string, { status, json }: ProbeAnswer, installation: string | undefined): Finding {
  if (status >= 300 && status < 400) {
    return failed("base URL", `${baseUrl} leads elsewhere (${status}). Set --base-url to where it leads.`);
  }
  if (status !== 200 || textIn(json, "status") !== "live" || textIn(json, "version") === undefined) {
    return failed(
      "base URL",
      `Something other than handoff answers at ${baseUrl} (${status}). Look at the proxy's configuration.`,
    );
  }
  const theirs = textIn(json, "installation");
  if (theirs === undefined) {
    return warning(
      "base URL",
      `A handoff of an earlier version answers at ${baseUrl}, and doesn't say which database it serves. If it's this one, run: sudo systemctl restart handoff`,
    );
  }
  if (installation === undefined) {
    return warning(
      "base URL",
      `A handoff answers at ${baseUrl}. To tell whether it serves this database, the database has to be of this version and readable.`,
    );
  }
  if (theirs === installation) return fine("base URL", `The server of this database answers at ${baseUrl}.`);
  const [there, here] = [theirs, installation].map((id) => id.slice(0, ID_LETTERS));
  return failed(
    "base URL",
    `Another handoff answers at ${baseUrl}: its database has the ID ${there}…, and this one ${here}…. Check the DNS, the proxy, and --data-dir.`,
  );
}

/** Compares the base URL with the server's own, which begins the `type` of each of its problems. */
async function checkLinks(baseUrl: string): Promise<Finding> {
  const { json } = await probe(`${baseUrl}/api/v1/credential`);
  const said = textIn(json, "type")?.replace(/\/problems\/[a-z_]+$/, "");
  if (said === undefined) {
    return failed("links", `Something before handoff answers calls of ${baseUrl}/api/v1. Look at the proxy.`);
  }
  if (said === baseUrl) return fine("links", `They begin with ${baseUrl}.`);
  return failed(
    "links",
    `The server makes links that begin with ${said}, not with ${baseUrl}. Set HANDOFF_BASE_URL in /etc/handoff/env, then run: sudo systemctl restart handoff`,
  );
}

async function checkBodies(baseUrl: string, maxCiphertext: number): Promise<Finding> {
  const bytes = maxCiphertext + 1024;
  const answer = await declareBody(`${baseUrl}/api/v1/secrets`, bytes);
  // A proxy that waits for the body accepts this size too.
  if (answer === undefined || textIn(answer.json, "code") !== undefined) {
    return fine("proxy", "A body as large as --max-ciphertext gets through.");
  }
  if (answer.status === 413) {
    const mebibytes = Math.ceil(bytes / MIB);
    return failed(
      "proxy",
      `The proxy refuses bodies that handoff takes. Raise its limit, in nginx: client_max_body_size ${mebibytes}m;`,
    );
  }
  return failed(
    "proxy",
    `Something before handoff answers a large body itself (${answer.status}). Look at the proxy's configuration.`,
  );
}

/** Checks that clients count by their own addresses: calls with a made-up address in X-Forwarded-For, and without. */
async function checkClients(baseUrl: string, plain: ProbeAnswer, settings: Settings): Promise<Finding> {
  const claimed = await probe(`${baseUrl}/health/live`, { headers: { "x-forwarded-for": NOBODYS_ADDRESS } });
  const [usual, forged] = [plain, claimed].map(({ json }) => textIn(json, "client_address"));
  if (usual === undefined || forged === undefined) {
    return warning("clients", "The server is of an earlier version, and doesn't say by which address clients count.");
  }
  if (usual === "forwarded") return fine("clients", "They count by the address that the proxy names.");
  if (forged === "forwarded") {
    return failed(
      "clients",
      "Clients can put any address into X-Forwarded-For, so limits by address stop nobody. Have the proxy overwrite it, in nginx: proxy_set_header X-Forwarded-For $remote_addr; (without a proxy, unset HANDOFF_TRUSTED_PROXY)",
    );
  }
  if (!isBehindProxy(baseUrl, settings)) return fine("clients", "They count by the address that they connect from.");
  const proxy = settings.listen.startsWith("unix:") ? "unix" : "its address, such as 127.0.0.1";
  return warning(
    "clients",
    `All clients count as one, the proxy, so failures of one get the others refused. Set HANDOFF_TRUSTED_PROXY to ${proxy}, and have the proxy send X-Forwarded-For.`,
  );
}

/** True when the settings imply a proxy in front of the server. */
function isBehindProxy(baseUrl: string, { listen, tlsCert, acme }: Settings): boolean {
  const isTls = tlsCert !== undefined || acme.length > 0;
  return listen.startsWith("unix:") || (baseUrl.startsWith("https:") && !isTls);
}
