import { openStore } from "../../../src/store/sqlite/store.ts";
import { openSqlite } from "../../support/sqlite.ts";
import { describeRules } from "../conformance/conformance.ts";

describeRules("SQLite", async () => openSqlite(openStore));
