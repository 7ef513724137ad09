import { expect, test } from "bun:test";
import { openOrm } from "../../../src/store/sqlite/engine/context.ts";
import { openDatabase } from "../../../src/store/sqlite/engine/database.ts";
import { prepareInsert } from "../../../src/store/sqlite/inserts.ts";
import { events } from "../../../src/store/sqlite/schema.ts";
import { temporaryFolder } from "../../support/temporary.ts";

test("an insert sets every column, and a nullable column can't be left out", () => {
  using folder = temporaryFolder();
  const database = openDatabase(folder.path);
  const orm = openOrm(database);
  const insert = prepareInsert({ orm }, events);
  const empty = { reference: null, address: null, ask: null, proof: null, network: null, historyOf: null };
  const row = { id: "evt_1", teamId: "tea_1", type: "secret.created", createdAt: 1, secretId: "sec_1" } as const;
  insert({ ...row, requestId: "req_1", actorId: "idn_1", ...empty });
  const second = { ...row, id: "evt_2", requestId: null, ...empty };
  // @ts-expect-error: the compiler asks for `actorId`.
  expect(() => insert(second)).toThrow("actorId");
  expect(orm.select().from(events).all()).toEqual([{ ...row, seq: 1, requestId: "req_1", actorId: "idn_1", ...empty }]);
  database.close();
});
