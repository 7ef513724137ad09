import { eq, sql } from "drizzle-orm";
import type { UploadRows } from "../../domain/transactions/transaction.ts";
import type { StoreContext } from "./engine/context.ts";
import { prepareInsert } from "./inserts.ts";
import { prepare, prepareSelect } from "./prepared.ts";
import { uploads } from "./schema.ts";

/** The uploads of the current transaction. */
export function createUploadRows(context: Pick<StoreContext, "orm">): UploadRows {
  const { orm } = context;
  const p = sql.placeholder;
  const isId = eq(uploads.id, p("id"));
  const find = prepareSelect(context, uploads, isId);
  const change = prepare(context, () =>
    orm
      .update(uploads)
      .set({
        offset: sql`${p("offset")}`,
        expiresAt: sql`${p("expiresAt")}`,
        secretId: sql`${p("secretId")}`,
      })
      .where(isId),
  );
  const remove = prepare(context, () => orm.delete(uploads).where(isId));
  return {
    find: (id) => find.get({ id }),
    add: prepareInsert(context, uploads),
    change: ({ id }, { offset, expiresAt, secretId }) => void change.run({ id, offset, expiresAt, secretId }),
    remove: ({ id }) => void remove.run({ id }),
  };
}
