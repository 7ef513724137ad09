import { defineConfig } from "drizzle-kit";

// As `drizzle.config.ts`, for PostgreSQL: list the file in store/postgres/engine/migrations.ts.
export default defineConfig({
  dialect: "postgresql",
  schema: "./src/store/postgres/schema.ts",
  out: "./drizzle/postgres",
});
