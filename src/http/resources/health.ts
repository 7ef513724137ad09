import { Elysia } from "elysia";
import type { HealthStore, StorageTrouble } from "../../domain/ports/health.ts";
import type { HttpOptions } from "../options.ts";

const SILENT: Pick<StorageTrouble, "code" | "message"> = {
  code: "unreadable",
  message: "The database does not answer. The log says why.",
};

/**
 * Routes that say whether the process runs, and whether it can do its work, with what is wrong; and which version it is. For load balancers and
 * service managers; public.
 */
export function healthRoutes(store: HealthStore, { version }: Pick<HttpOptions, "version">) {
  return new Elysia({ normalize: false })
    .get("/health/live", () => ({ status: "live", version }))
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
