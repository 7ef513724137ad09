import { afterAll } from "bun:test";
import { openPostgres, startPostgres } from "../../support/postgres.ts";
import { describeRules } from "../conformance/conformance.ts";

const cluster = await startPostgres();
afterAll(() => cluster[Symbol.asyncDispose]());

describeRules("PostgreSQL", () => openPostgres(cluster));
