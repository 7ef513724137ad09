import { afterAll } from "bun:test";
import { openPostgres, startPostgres } from "../../support/postgres.ts";
import { describeStore } from "../conformance/conformance.ts";

// What is left after a crash is tested elsewhere.
const cluster = await startPostgres({ fsync: "off" });
afterAll(() => cluster[Symbol.asyncDispose]());

describeStore("PostgreSQL", () => openPostgres(cluster));
