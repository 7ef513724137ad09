import { expect, test } from "bun:test";
import { inspect } from "node:util";
import { DatabaseUrl, UNREADABLE_URL } from "../../src/config/database-urls.ts";

const NOTHING = { user: undefined, password: undefined, host: undefined, port: undefined, database: undefined };

test("a URL is parsed as by libpq: parts are decoded, and parameters overrule them", () => {
  const parts = (url: string): Record<string, unknown> => {
    const { parameters, ...rest } = new DatabaseUrl(url).reveal() ?? { parameters: [] };
    return { ...rest, ...Object.fromEntries(parameters) };
  };
  expect(parts("postgresql://")).toEqual(NOTHING);
  expect(parts("postgres://me:p%40ss%2F@db.example:5433/handoff?sslmode=require&application_name=a%20b")).toEqual({
    user: "me",
    password: "p@ss/",
    host: "db.example",
    port: "5433",
    database: "handoff",
    sslmode: "require",
    application_name: "a b",
  });
  expect(parts("postgresql://[2001:db8::1]:5432/x")).toEqual({
    ...NOTHING,
    host: "2001:db8::1",
    port: "5432",
    database: "x",
  });
  const socket = { ...NOTHING, host: "/run/postgresql", database: "handoff" };
  expect(parts("postgresql:///handoff?host=/run/postgresql")).toEqual(socket);
  expect(parts("postgresql://%2Frun%2Fpostgresql/handoff")).toEqual(socket);
  expect(parts("postgresql://me@db/x?user=you&password=secret&dbname=y&port=1")).toEqual({
    user: "you",
    password: "secret",
    host: "db",
    port: "1",
    database: "y",
  });
});

test("a URL may name several hosts, each with a port or without", () => {
  const placesIn = (url: string) => {
    const { host, port, user, database } = new DatabaseUrl(url).reveal() ?? {};
    return { host, port, user, database };
  };
  expect(placesIn("postgresql://me:a,b@one:1,two/x?target_session_attrs=read-write")).toEqual({
    host: "one,two",
    port: "1,",
    user: "me",
    database: "x",
  });
  expect(placesIn("postgresql://[::1],[::2]:7,three/x")).toMatchObject({ host: "::1,::2,three", port: ",7," });
  expect(placesIn("postgresql://one,two/x?port=9")).toMatchObject({ host: "one,two", port: "9" });
  expect(placesIn("postgresql:///x?host=/run/a,/run/b")).toMatchObject({ host: "/run/a,/run/b", port: undefined });
  for (const url of ["postgresql://one:1:2,two/x", "postgresql://[::1,two/x", "postgresql://one,t[wo]/x"]) {
    expect({ url, parsed: new DatabaseUrl(url).reveal() }).toEqual({ url, parsed: undefined });
  }
  expect(new DatabaseUrl("postgresql://me:a,b@one:1,two/x").address).toBe("postgresql://me@one:1,two/x");
});

test("a malformed or wrongly encoded URL, or one with an unencoded @, is invalid", () => {
  for (const url of [
    "",
    "mysql://db/x",
    "postgresql:db",
    "postgresql://me:p@ss@db/x",
    "postgresql://me:p/ss@db/x",
    "postgresql://me:p?ss@db/x",
    "postgresql://me:100%@db/x",
    "postgresql://db/x?user=%zz",
    // Text after an unencoded & or ;, or next to a second =, is probably a password.
    "postgresql://127.0.0.1:1/db&password=pass",
    "postgresql://127.0.0.1:1&password=pass/db",
    "postgresql://me;password=pass@db/x",
    "postgresql://[::1;password=pass]/x",
    "postgresql://db/x;password=pass",
    "postgresql://db/x?user=me;password=pass",
    "postgresql://db/x?user=me;pass",
    "postgresql://db/x?user=me?password=pass",
    "postgresql://db/x?user=me&pass",
    "postgresql://me:pa ss@db/x",
    "postgresql://me:pa\nss@db/x",
    ...["me:p%00ss@db/x", "m%00e:ss@db/x", "db/x%00", "/x?host=d%00b", "db/x?application_name=%00", "db/x\0"].map(
      (rest) => `postgresql://${rest}`,
    ),
  ]) {
    expect({ url, parsed: new DatabaseUrl(url).reveal() }).toEqual({ url, parsed: undefined });
    // It may be a password, so it is refused as a flag and never shown.
    if (url.includes("@")) expect({ url, has: new DatabaseUrl(url).hasPassword }).toEqual({ url, has: true });
    expect(new DatabaseUrl(url).address).toBe(UNREADABLE_URL);
  }
});

test("an unusable URL is masked like an invalid one", () => {
  for (const rest of [
    "me:secret",
    "me:55secret/db",
    "me:555555/db",
    "db/x?port=secret",
    "db/x?user=u&password=a&Zsecret=1",
  ]) {
    const url = `postgresql://${rest}`;
    expect({ url, shown: new DatabaseUrl(url).address }).toEqual({ url, shown: UNREADABLE_URL });
  }
});

test("a password is found and removed anywhere in a URL, and nothing else is removed", () => {
  const SHOWN: readonly (readonly [url: string, shown: string])[] = [
    ["postgresql://me:secret@db.example/x", "postgresql://me@db.example/x"],
    ["postgresql://:secret@db.example/x", "postgresql://@db.example/x"],
    ["postgresql://me:se#:cret@[::1]:5432/x?sslmode=require", "postgresql://me@[::1]:5432/x?sslmode=require"],
    ["postgresql://db/x?password=secret", "postgresql://db/x"],
    ["postgresql://db/x?password=secret&sslmode=require", "postgresql://db/x?sslmode=require"],
    ["postgresql://db/x?sslmode=require&pass%77ord=secret&port=1", "postgresql://db/x?sslmode=require&port=1"],
    ["postgresql://db/x?sslpassword=secret", "postgresql://db/x"],
  ];
  for (const [url, shown] of SHOWN) {
    expect({ url, shown: new DatabaseUrl(url).address, has: new DatabaseUrl(url).hasPassword }).toEqual({
      url,
      shown,
      has: true,
    });
    expect(new DatabaseUrl(shown).hasPassword).toBe(false);
  }
  for (const url of ["postgresql://me@db/x?sslmode=require", "postgres://", "postgresql:///x?host=/run/postgresql"]) {
    expect({ url, shown: new DatabaseUrl(url).address, has: new DatabaseUrl(url).hasPassword }).toEqual({
      url,
      shown: url,
      has: false,
    });
  }
});

test("a possible password in the place of a host isn't shown; a certain host is", () => {
  for (const rest of [
    "secret",
    "secret/",
    "secret/x",
    "se.cret/x",
    "%73ecret/x",
    "handoff:12345",
    "handoff:12345/x",
    "one,secret/x",
    "secret?sslmode=require",
  ]) {
    const url = `postgresql://${rest}`;
    expect({ url, shown: String(new DatabaseUrl(url)) }).toEqual({ url, shown: "postgresql://…" });
  }
  for (const url of [
    "postgresql://",
    "postgresql://me@db/x",
    "postgresql://@db/x",
    "postgresql:///x?host=/run/postgresql",
    "postgresql://%2Frun%2Fpostgresql/x",
    "postgresql://localhost:5432/x",
    "postgresql://127.0.0.1,[::1]:5433/x?sslmode=require",
  ]) {
    expect({ url, shown: String(new DatabaseUrl(url)) }).toEqual({ url, shown: url });
  }
  expect(String(new DatabaseUrl("postgresql://me:secret@db/x"))).toBe("postgresql://me@db/x");
  expect(String(new DatabaseUrl("postgresql://me:secret"))).toBe(UNREADABLE_URL);
});

test("no way to print a URL shows its password", () => {
  const url = new DatabaseUrl("postgresql://me:secret@db/x?sslpassword=secret");
  const ways = [String(url), JSON.stringify({ url }), Bun.inspect({ url }), inspect([url], { depth: 5 })];
  for (const way of ways) {
    expect(way).toContain("postgresql://me@db/x");
    expect(way).not.toContain("secret");
  }
});
