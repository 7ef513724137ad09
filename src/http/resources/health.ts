import { Elysia } from "elysia";
import type { HealthStore, StorageTrouble } from "../../domain/ports/health.ts";
import { isForwarded } from "../gate/addresses.ts";
import type { HttpOptions } from "../options.ts";

const SILENT: Pick<StorageTrouble, "code" | "message"> = {
  code: "unreadable",
  message: "The database does not answer. The log says why.",
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
    .get("/health/live", ({ request, server }) => ({
      status: "live",
      version,
      installation: installation() ?? null,
      client_address: isForwarded({ request, server }, trustedProxies) ? "forwarded" : "connection",
    }))
    .get("/health/ready", async ({ set }) => {
      const troubles = await store.findTroubles().catch(() => undefined);
      const isReady = troubles !== undefined && !troubles.some(({ isSerious }) => isSerious);
      if (!isReady) set.status = 503;
      return {
        status: isReady ? "ready" : "storage_unavailable",
        troubles: (troubles ?? [SILENT]).map(({ code, message }) => ({ code, message })),
      };
    });
}
