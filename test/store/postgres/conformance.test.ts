import { afterAll } from "bun:test";
import { openPostgres, startPostgres } from "../../support/postgres.ts";
import { describeStore } from "../conformance/conformance.ts";

const cluster = await startPostgres();
afterAll(() => cluster[Symbol.asyncDispose]());

describeStore("PostgreSQL", () => openPostgres(cluster));
