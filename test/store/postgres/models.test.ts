import { afterAll } from "bun:test";
import { openPostgres } from "../../support/postgres.ts";
import { sharedPostgres } from "../../support/shared-postgres.ts";
import { describeRules } from "../conformance/conformance.ts";

const cluster = await sharedPostgres();
afterAll(() => cluster[Symbol.asyncDispose]());

describeRules("PostgreSQL", () => openPostgres(cluster));
