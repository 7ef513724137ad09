import { afterAll } from "bun:test";
import { openPostgres } from "../../support/postgres.ts";
import { sharedPostgres } from "../../support/shared-postgres.ts";
import { describeStore } from "../conformance/conformance.ts";

const cluster = await sharedPostgres();
afterAll(() => cluster[Symbol.asyncDispose]());

describeStore("PostgreSQL", () => openPostgres(cluster));
