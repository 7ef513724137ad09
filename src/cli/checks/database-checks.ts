import { describeLongReader } from "../../store/postgres/engine/long-readers.ts";
import { inspect } from "../../store/postgres/inspections.ts";
import type { Inspection } from "../../store/postgres/inspections.ts";
import type { PostgresPlace } from "../server/storages/places.ts";
import { explainRefusal } from "../server/storages/postgres-refusals.ts";
import { checkClock, checkKeys, checkSeals, checkWebhooks, SOON_MS } from "./content-checks.ts";
import { failed, fine, sentenceOf, warning } from "./findings.ts";
import type { Finding } from "./findings.ts";
import type { StorageFindings } from "./storage-checks.ts";

/** Connections that should stay free for admins. */
const FEW_CONNECTIONS = 5;

/** The advice about the clock of PostgreSQL's machine, which all servers use. */
const CLOCK_ADVICE = {
  behind:
    "If the clock of PostgreSQL's machine is wrong, set it (timedatectl status). If it's right, it was ahead once, and time goes on from the database's: restore a backup from before.",
  ahead:
    "If the clock of PostgreSQL's machine is right, nothing is wrong. If not, set it (timedatectl status) before a server is started: what ends by this time is ended, and the database keeps the time.",
};

/** Checks a PostgreSQL database and its server, without changing anything. */
export async function checkDatabase(place: PostgresPlace): Promise<StorageFindings> {
  let inspection: Inspection;
  try {
    inspection = await inspect(place.connection, SOON_MS);
  } catch (error) {
    return { findings: [failed("database", sentenceOf(explainRefusal(error, place)))] };
  }
  const findings = [
    checkWriting(inspection, place),
    checkPrivacy(inspection),
    checkLosses(inspection),
    checkConnections(inspection),
    checkSettings(inspection),
    checkReaders(inspection),
    checkClock(inspection, inspection.now, CLOCK_ADVICE),
    ...checkKeys(inspection),
    ...checkWebhooks(inspection, inspection.now),
    ...checkSeals(inspection.log, inspection.teams, inspection.now),
  ];
  const { installation, lastBackupAt, teams } = inspection;
  return { findings, installation, lastBackupAt, teams };
}

function checkWriting({ server, isReadOnly }: Inspection, { name }: PostgresPlace): Finding {
  if (!isReadOnly) return fine("database", `'${name}' is of this version of handoff, in PostgreSQL ${server}.`);
  return failed(
    "database",
    `'${name}' can only be read: it is a replica, or set to be read-only. Name the primary in the URL, or promote this one.`,
  );
}

function checkPrivacy({ isPrivate }: Inspection): Finding {
  if (isPrivate) return fine("encryption", "The connection to PostgreSQL is encrypted, or stays on this machine.");
  return warning(
    "encryption",
    "The connection to PostgreSQL isn't encrypted: others on the network can read metadata and the signing secrets of webhooks, and change data in transit. Turn on ssl in postgresql.conf, and add sslmode=verify-full to the URL.",
  );
}

function checkLosses({ losing }: Inspection): Finding {
  if (losing.length === 0) return fine("durability", "PostgreSQL keeps what it has acknowledged when the power fails.");
  return failed(
    "durability",
    `PostgreSQL may lose what it has acknowledged when the power fails, because of ${losing.join(", ")}. Turn that on in postgresql.conf.`,
  );
}

function checkConnections({ connections: { used, most } }: Inspection): Finding {
  const text = `${used} of ${most} connections are in use.`;
  if (most - used >= FEW_CONNECTIONS) return fine("connections", text);
  return warning("connections", `${text} Raise max_connections in postgresql.conf, or lower --database-pool.`);
}

function checkSettings({ unset }: Inspection): Finding {
  if (unset.length === 0) return fine("time limits", "PostgreSQL has taken the time limits of connections.");
  return failed(
    "time limits",
    `Something between here and PostgreSQL doesn't keep ${unset.join(", ")}. Name PostgreSQL itself in the URL, or a pooler that keeps what a session sets.`,
  );
}

function checkReaders({ longReader }: Inspection): Finding {
  if (longReader) return warning("open transactions", describeLongReader(longReader));
  return fine("open transactions", "No transaction, replica or replication slot holds back what PostgreSQL cleans up.");
}
