import { Elysia } from "elysia";
import type { HealthStore } from "../domain/ports.ts";

/** Whether the process runs, and whether it can do its work. For load balancers and service managers; public. */
export function healthRoutes(store: HealthStore) {
  return new Elysia({ normalize: false })
    .get("/health/live", () => ({ status: "live" }))
    .get("/health/ready", async ({ set }) => {
      // A database that does not even answer is not ready either; why, the log of the requests says.
      const writable = await store.isWritable().catch(() => false);
      if (!writable) set.status = 503;
      return { status: writable ? "ready" : "storage_unavailable" };
    });
}
