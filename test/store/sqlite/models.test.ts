import { openSqliteStorage } from "../../support/sqlite-storage.ts";
import { openUnderTest } from "../../support/stores.ts";
import { describeRules } from "../conformance/conformance.ts";

describeRules("SQLite", () => openUnderTest(openSqliteStorage()));
