import { expect, test } from "bun:test";
import { findNamedLines, isSecretName } from "../../../src/web/contents/lines.ts";

const pairsOf = (text: string) => findNamedLines(text)?.map(({ name, value }) => [name, value]);

test("a text of names and values is read line by line", () => {
  expect(findNamedLines("user: ann\npassword: p:a=b c \n")).toEqual([
    { name: "user", value: "ann", isSecret: false },
    { name: "password", value: "p:a=b c", isSecret: true },
  ]);
  expect(pairsOf("A=1\r\n\r\nB_2='x y'\r\n")).toEqual([
    ["A", "1"],
    ["B_2", "'x y'"],
  ]);
  expect(pairsOf("export AWS_KEY=abc==\nURL=https://a.example/?b=c")).toEqual([
    ["AWS_KEY", "abc=="],
    ["URL", "https://a.example/?b=c"],
  ]);
  expect(pairsOf("Server:10.0.0.1\nBenutzer : ann")).toEqual([
    ["Server", "10.0.0.1"],
    ["Benutzer", "ann"],
  ]);
  expect(pairsOf("ユーザー：アン\nパスワード：abc")).toEqual([
    ["ユーザー", "アン"],
    ["パスワード", "abc"],
  ]);
  expect(pairsOf("المستخدم: ann\nكلمة المرور: abc")).toEqual([
    ["المستخدم", "ann"],
    ["كلمة المرور", "abc"],
  ]);
  expect(pairsOf("Mot de passe\u00A0: abc\nClé (2): def")).toEqual([
    ["Mot de passe", "abc"],
    ["Clé (2)", "def"],
  ]);
});

test("any other text stays one text", () => {
  const others = [
    "",
    "user: ann\npass\u202Eword: a name that turns what stands beside it",
    "user: ann\npass\u001Bword: a name that commands",
    "password: one line",
    "user: ann\nand the password is hunter2",
    "https://a.example/x\nhttps://b.example/y",
    "postgres://u:p@h/db\nmysql://u:p@h/db",
    '{\n  "a": 1,\n  "b": 2\n}',
    '"a": 1\n"b": 2',
    "server:\n  host: a\n  port: 1",
    "server: a\n  port: 1",
    "text: |\n  more",
    "list: [a, b]\nmap: {c: d}",
    "- a: b\n- c: d",
    "A=\nB=1",
    "-----BEGIN PRIVATE KEY-----\nProc-Type: 4\n-----END PRIVATE KEY-----",
    "Proc-Type: 4\nDEK-Info: AES\n-----BEGIN X-----",
    "bWFkZSB1cA==\nYW5kIG1vcmU=",
    "C:\\Users\\ann\nD:\\backup",
    "meet 12:30\nleave 14:00",
    "# comment\nA=1\nB=2",
    `${"n".repeat(60)}: 1\nb: 2`,
    "a: 1\n".repeat(51),
    `a: ${"x".repeat(20_000)}\nb: 1`,
  ];
  for (const text of others) expect({ text, lines: findNamedLines(text) }).toEqual({ text, lines: undefined });
});

test("values with a password-like name start hidden, and so do addresses with a password", () => {
  const hidden = [
    "password",
    "Passwort",
    "DB_PASSWORD",
    "dbPassword",
    "userpassword2",
    "pass",
    "pw",
    "PWD",
    "API_KEY",
    "apiKey",
    "api key",
    "SSH Key",
    "client-secret",
    "access_token",
    "AuthToken",
    "PIN",
    "sim PIN 2",
    "PUK",
    "Wifi PSK",
    "CVV",
    "TOTP seed",
    "Kennwort",
    "Mot de passe",
    "mdp",
    "Phrase de passe",
    "Jeton d’API",
    "clé",
    "cle\u0301",
    "contraseña",
    "CONTRASENA",
    "clave",
    "senha",
    "chave",
    "Chiave privata",
    "segreto",
    "Frase segreta",
    "Parola d'ordine",
    "Wachtwoord",
    "wifi-wachtzin",
    "Privésleutel",
    "API-sleutel",
    "Hasło",
    "HASLO",
    "fraza dostępu",
    "kod dostępu",
    "klucz prywatny",
    "パスワード",
    "秘密鍵",
    "APIキー",
    "كلمة المرور",
    "كلمة سر الشبكة",
    "كلمةُ المرورِ",
    "عبارة المرور",
    "الرقم السري",
    "المفتاح الخاص",
    "مفتاح API",
    "public token",
  ];
  const shown = [
    "user",
    "email",
    "host",
    "port",
    "passenger",
    "compass",
    "keyboard",
    "monkey",
    "spin",
    "public key",
    "PUBLIC_KEY",
    "Access Key ID",
    "Chiave pubblica",
    "pinned",
    "openbare sleutel",
    "klucz publiczny",
    "Sekretariat",
    "has location",
    "Użytkownik",
    "Server",
    "المستخدم",
    "الرمز البريدي",
    "المسرح",
    "الأسرة",
    "المفتاح العام",
    "معرّف المفتاح",
  ];
  expect(hidden.filter((name) => !isSecretName(name))).toEqual([]);
  expect(shown.filter((name) => isSecretName(name))).toEqual([]);
  const secrets = findNamedLines("DATABASE_URL=postgres://u:p@h/db\nHOST=https://h.example:80/a@b")?.map(
    (line) => line.isSecret,
  );
  expect(secrets).toEqual([true, false]);
});
