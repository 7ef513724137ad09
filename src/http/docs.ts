import { Elysia } from "elysia";
import type { Policy } from "../domain/policies.ts";
import type { HttpOptions } from "./options.ts";
export function docsRoutes(_policy: Policy, _options: HttpOptions) {
  return new Elysia({ normalize: false });
}
