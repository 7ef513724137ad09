import { Elysia } from "elysia";
import { Liveness, Readiness } from "../../contract/health.ts";
import type { HealthStore, StorageTrouble } from "../../domain/ports/health.ts";
import { isForwarded } from "../gate/addresses.ts";
import { described } from "../gate/schema-checks.ts";
import type { HttpOptions } from "../options.ts";

const SILENT: Pick<StorageTrouble, "code" | "message"> = {
  code: "unreadable",
  message: "The database does not answer. The log says why.",
};

const LIVE = {
  operationId: "getLiveness",
  tags: ["Health"],
  security: [],
  summary: "Ask whether the server runs",
  description: "For supervisors. It needs no credential and no storage.",
};

const READY = {
  operationId: "getReadiness",
  tags: ["Health"],
  security: [],
  summary: "Ask whether the storage works",
  description: "For load balancers. It needs no credential. 503 while calls can't be answered as they should.",
};

/**
 * Public routes for load balancers, service managers and `admin check`. `/health/live` has the version, the
 * installation, and the source of the caller's address; `/health/ready` has the troubles of the storage.
 */
export function healthRoutes(
  store: HealthStore,
  { version, installation, trustedProxies }: Pick<HttpOptions, "version" | "installation" | "trustedProxies">,
) {
  return new Elysia({ normalize: false })
    .get(
      "/health/live",
      ({ request, server }) => ({
        status: "live",
        version,
        installation: installation() ?? null,
        client_address: isForwarded({ request, server }, trustedProxies) ? "forwarded" : "connection",
      }),
      { response: { 200: described(Liveness) }, detail: LIVE },
    )
    .get(
      "/health/ready",
      async ({ status }) => {
        const troubles = await store.findTroubles().catch(() => undefined);
        const isReady = troubles !== undefined && !troubles.some(({ isSerious }) => isSerious);
        const shown = (troubles ?? [SILENT]).map(({ code, message }) => ({ code, message }));
        return isReady
          ? status(200, { status: "ready", troubles: shown })
          : status(503, { status: "storage_unavailable", troubles: shown });
      },
      { response: { 200: described(Readiness), 503: described(Readiness) }, detail: READY },
    );
}
