import { defineConfig } from "drizzle-kit";

// `drizzle-kit generate --config scripts/drizzle.config.ts --name WHAT`, then list the file in
// store/sqlite/engine/migrations.ts.
export default defineConfig({
  dialect: "sqlite",
  schema: "./src/store/sqlite/schema.ts",
  out: "./drizzle/sqlite",
});
