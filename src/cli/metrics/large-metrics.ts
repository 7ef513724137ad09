import type { Registry } from "prom-client";
import type { UploadStore } from "../../domain/ports/uploads.ts";
import { createGauge } from "./gauges.ts";

/** Registers the numbers of large secrets and uploads. Returns a function that updates them and never rejects. */
export function createLargeMetrics(
  registry: Registry,
  uploads: Pick<UploadStore, "countUploads">,
): () => Promise<void> {
  const gauge = (name: string, help: string) => createGauge(registry, `handoff_${name}`, help);
  const secrets = gauge("large_secrets", "Large secrets whose ciphertext is kept.");
  const unused = gauge("uploads", "Uploads that are no secrets yet.");
  const bytes = gauge("large_bytes", "Size of the ciphertexts of both, of uploads once they are complete.");
  return async () => {
    const counts = await uploads.countUploads().catch(() => undefined);
    secrets(counts?.secrets);
    unused(counts?.uploads);
    bytes(counts?.bytes);
  };
}
