import { Elysia } from "elysia";
import type { Service } from "../domain/service.ts";
import { credentialRoutes } from "./credentials.ts";
import { eventRoutes } from "./events.ts";
import type { HttpOptions } from "./options.ts";
import { requestRoutes } from "./requests.ts";
import { secretRoutes } from "./secrets.ts";

/** Everything under `/api/v1`. `service` is only called by requests, so that the routes can be described without one. */
export function apiRoutes(service: () => Service, options: Pick<HttpOptions, "baseUrl">) {
  return new Elysia({ normalize: false })
    .use(secretRoutes(service, options))
    .use(requestRoutes(service, options))
    .use(eventRoutes(service))
    .use(credentialRoutes(service));
}
