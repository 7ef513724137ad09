import { afterAll } from "bun:test";
import { openPostgres, startPostgres } from "../../support/postgres.ts";
import { describeRules } from "../conformance/conformance.ts";

// What is left after a crash is tested elsewhere.
const cluster = await startPostgres({ fsync: "off" });
afterAll(() => cluster[Symbol.asyncDispose]());

describeRules("PostgreSQL", () => openPostgres(cluster));
