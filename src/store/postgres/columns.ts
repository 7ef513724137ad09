import { bigint, customType } from "drizzle-orm/pg-core";

/** An ID, sorted by its bytes whatever the collation of the database. */
export const id = customType<{ data: string }>({ dataType: () => 'text COLLATE "C"' });

export const bytes = customType<{ data: Uint8Array }>({ dataType: () => "bytea" });

/** An integer as large as JavaScript has them, such as a time. */
export const number = (name: string) => bigint(name, { mode: "number" });
