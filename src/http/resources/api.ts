import { Elysia } from "elysia";
import type { Service } from "../../domain/service.ts";
import { API_PREFIX } from "../gate/routes.ts";
import type { Prefix } from "../gate/routes.ts";
import type { RouteOptions } from "../options.ts";
import { credentialRoutes } from "./credentials.ts";
import { eventRoutes } from "./events.ts";
import { requestRoutes } from "./requests.ts";
import { secretRoutes } from "./secrets.ts";

/**
 * Every operation, below `prefix`. `service` is only called by requests, so that the routes can be described without one.
 */
export function apiRoutes(service: () => Service, options: RouteOptions, prefix: Prefix = API_PREFIX) {
  return new Elysia({ normalize: false })
    .use(secretRoutes(service, options, prefix))
    .use(requestRoutes(service, options, prefix))
    .use(eventRoutes(service, prefix))
    .use(credentialRoutes(service, prefix));
}
