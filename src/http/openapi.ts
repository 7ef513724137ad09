import type { Policy } from "../domain/policies.ts";

export async function describeApi(_options: {
  policy: Policy;
  version: string;
  baseUrl: string;
}): Promise<Record<string, unknown>> {
  return {};
}
