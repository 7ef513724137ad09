import { expect, test } from "bun:test";
import { toConnection } from "../../../src/cli/server/storages/postgres-connections.ts";
import { DatabaseUrl } from "../../../src/config/database-urls.ts";

function connectionOf(url: string) {
  const parsed = new DatabaseUrl(url).reveal();
  if (!parsed) throw new Error("it is no URL");
  return toConnection(parsed, { pool: 6, timeoutSeconds: 15 });
}

test("of several hosts in a URL the one is looked for that can be written", () => {
  expect(connectionOf("postgresql://me@one:1,two,[::1]:3/x").hosts).toEqual([
    { hostname: "one", port: 1 },
    { hostname: "two", port: 5432 },
    { hostname: "::1", port: 3 },
  ]);
  expect(connectionOf("postgresql://me@one,two/x?port=7").hosts).toEqual([
    { hostname: "one", port: 7 },
    { hostname: "two", port: 7 },
  ]);
  expect(connectionOf("postgresql:///x?host=/run/a,/run/b&port=,9").hosts).toEqual([
    { path: "/run/a/.s.PGSQL.5432" },
    { path: "/run/b/.s.PGSQL.9" },
  ]);
});

test("a single host is taken as it is, unless the URL asks for one that can be written", () => {
  expect(connectionOf("postgresql://me@one/x")).toMatchObject({ hostname: "one", port: 5432 });
  expect(connectionOf("postgresql://me@one/x?target_session_attrs=any").hosts).toBeUndefined();
  for (const target of ["read-write", "primary"]) {
    expect(connectionOf(`postgresql://me@one/x?target_session_attrs=${target}`).hosts).toEqual([
      { hostname: "one", port: 5432 },
    ]);
  }
});

test("a URL whose hosts have other ports than there are, or that asks for a replica, is refused with the reason", () => {
  expect(() => connectionOf("postgresql://one,two,three/x?port=1,2")).toThrow("another number of ports than of hosts");
  expect(() => connectionOf("postgresql://one:1,two:99999/x")).toThrow("a number from 1 to 65535");
  for (const target of ["standby", "read-only", "prefer-standby", "x"]) {
    expect(() => connectionOf(`postgresql://one,two/x?target_session_attrs=${target}`)).toThrow(
      "everything is written to the database",
    );
  }
});
