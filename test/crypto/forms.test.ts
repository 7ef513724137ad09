import { expect, test } from "bun:test";
import * as fc from "fast-check";
import {
  checkForm,
  decodeFields,
  decodeNote,
  encodeFields,
  encodeNote,
  FIELD_KINDS,
  fillForm,
  findField,
  FORM_TEMPLATES,
  formatFields,
  FormError,
  isFieldName,
  isSameName,
  MAX_FIELDS,
  MAX_VALUE_LENGTH,
  parseField,
  problemOfValue,
} from "../../src/crypto/forms.ts";

const name = fc.stringMatching(/^[A-Za-z0-9äß東]([A-Za-z0-9äß東 ._()/-]{0,20}[A-Za-z0-9])?$/);
const fields = fc.uniqueArray(fc.record({ name, kind: fc.constantFrom(...FIELD_KINDS) }), {
  maxLength: MAX_FIELDS,
  comparator: (one, other) => isSameName(one.name, other.name),
});
const note = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom("", "\n", "handoff form 1\n", "handoff form 1\nUSER: text\n", "handoff form 1\n\nhandoff form 1\n"),
);
const value = fc.string({
  unit: fc.oneof(fc.constantFrom("\n", "\r", "\t", " ", ":", "  ", "a", "é", "🙂"), fc.string({ unit: "grapheme" })),
});
const filled = fc.uniqueArray(
  fc.record({ name, value: value.filter((each) => !/(?![\t\n\r])[\p{Cc}\p{Cs}]/u.test(each)) }),
  { minLength: 1, maxLength: MAX_FIELDS, comparator: (one, other) => isSameName(one.name, other.name) },
);

test("a note comes back as it was, with its fields, whatever its text", () => {
  fc.assert(
    fc.property(fields, fc.option(note, { nil: undefined }), (form, text) => {
      fc.pre(form.length > 0 || text !== undefined);
      expect(decodeNote(encodeNote({ text, fields: form }))).toEqual({ text, fields: form });
    }),
  );
});

test("a note without a form is its bare text, as it always was", () => {
  for (const text of ["the staging password", "handoff form", "handoff form 2\nUSER: text\n", "USER: text"]) {
    expect(encodeNote({ text, fields: [] })).toBe(text);
    expect(decodeNote(text)).toEqual({ text, fields: [] });
  }
});

test("a form is readable", () => {
  const form = [...FORM_TEMPLATES.login, ...FORM_TEMPLATES["ssh-key"]];
  const encoded = encodeNote({ text: "For staging.\nThanks", fields: form });
  expect(encoded).toBe("handoff form 1\nuser: text\npassword: password\nkey: multiline\n\nFor staging.\nThanks");
});

test("a note that isn't exactly a form is text", () => {
  const twentyOne = Array.from({ length: MAX_FIELDS + 1 }, (_, n) => `F${n}: text\n`).join("");
  for (const rest of [
    "",
    "USER",
    "USER: text",
    "USER: text\r\n",
    "USER: line\n",
    "USER:text\n",
    " USER: text\n",
    ": text\n",
    "USER: text\nuser: text\n",
    "U\u001b[2J: text\n",
    "U\u202eS: text\n",
    `${"U".repeat(65)}: text\n`,
    twentyOne,
    "USER: text\nand then\n",
  ]) {
    const text = `handoff form 1\n${rest}`;
    expect(decodeNote(text)).toEqual({ text, fields: [] });
  }
});

test("fields come back as they were, and so do those that a form was filled in with", () => {
  fc.assert(
    fc.property(filled, (given) => {
      expect(decodeFields(encodeFields(given))).toEqual(given);
      // An editor or a shell may have taken the last line end away.
      const encoded = encodeFields(given);
      if (!encoded.endsWith("  \n")) expect(decodeFields(encoded.slice(0, -1))).toEqual(given);
    }),
  );
});

test("fields are readable, with the lines of a value as they are", () => {
  const given = [
    { name: "user", value: "a: b\\c\"'" },
    { name: "key", value: "-----BEGIN\n  x\n\n-----END\n" },
    { name: "empty", value: "" },
  ];
  const text = "user: a: b\\c\"'\nkey:\n  -----BEGIN\n    x\n  \n  -----END\n  \nempty: \n";
  expect(encodeFields(given)).toBe(`handoff fields 1\n${text}`);
  expect(formatFields(given)).toBe(text);
});

test("what a stranger hands in is fields only if every line of it is", () => {
  const many = Array.from({ length: MAX_FIELDS + 1 }, (_, n) => `F${n}: x\n`).join("");
  for (const rest of [
    "",
    "\n",
    "user",
    "user:x\n",
    "user:\n",
    "user:\n\n",
    "  x\n",
    "user: x\n  y\n",
    "user:\n x\n",
    ": x\n",
    "user: x\nuser: y\n",
    "user: x\nUSER: y\n",
    "user: x\n\uff55ser: y\n",
    "user: x\r\n",
    "user: \u0000\n",
    "user: \u001b]0;title\u0007\n",
    "user: \u009b2J\n",
    "u\u202eser: x\n",
    "us\u200ber: x\n",
    "us\ter: x\n",
    `user: ${"x".repeat(MAX_VALUE_LENGTH + 1)}\n`,
    `${"u".repeat(65)}: x\n`,
    many,
  ]) {
    expect(decodeFields(`handoff fields 1\n${rest}`)).toBeUndefined();
  }
  expect(decodeFields(" handoff fields 1\nuser: x\n")).toBeUndefined();
  expect(decodeFields("handoff fields 2\nuser: x\n")).toBeUndefined();
  expect(decodeFields("handoff fields 1\nuser: x\n")).toEqual([{ name: "user", value: "x" }]);
});

test("whatever is read of a stranger's text can be written again", () => {
  const line = fc.oneof(
    fc.constantFrom("user: x", "key:", "  y", "  ", "", " z", "a:b", "\r", "é: \u0007"),
    fc.string({ unit: "binary" }),
  );
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      const found = decodeFields(`handoff fields 1\n${lines.join("\n")}`);
      if (found) expect(decodeFields(encodeFields(found))).toEqual(found);
    }),
    { numRuns: 1000 },
  );
});

test("a name is short, printable and composed", () => {
  for (const each of ["USER", "SSH key", "パスワード", "naïve", "a".repeat(64), "🙂 1", "#1"]) {
    expect(isFieldName(each)).toBe(true);
  }
  for (const each of [
    "",
    " ",
    "a".repeat(65),
    "a:b",
    "a=b",
    " a",
    "a ",
    "a\tb",
    "a\u00a0b",
    "a\nb",
    "--",
    "nai\u0308ve",
    "a\u0000",
    "a\ud800",
    "a\u200d",
    "a\u3164",
  ]) {
    expect(isFieldName(each)).toBe(false);
  }
});

test("a word of a name has letters of one alphabet, so that no letter passes for that of another", () => {
  for (const each of ["API ключ", "IP-адрес", "APIキー", "مفتاح API", "пароль2", "κωδικός SSH", "ключ_API"]) {
    expect({ each, isName: isFieldName(each) }).toEqual({ each, isName: true });
  }
  const [cyrillicA, greekO] = ["\u0410", "\u03bf"];
  for (const each of [`P${cyrillicA}SSWORD`, `t${greekO}ken`, `my p${cyrillicA}55word`, `${cyrillicA}${greekO}`]) {
    expect({ each, isName: isFieldName(each) }).toEqual({ each, isName: false });
    expect(() => checkForm([{ name: each, kind: "text" }])).toThrow("mixes letters of two alphabets");
    expect(decodeFields(`handoff fields 1\nPASSWORD: x\n${each}: y\n`)).toBeUndefined();
    expect(decodeNote(`handoff form 1\n${each}: text\n`).fields).toEqual([]);
  }
});

test("a form has different names, and no more than are allowed", () => {
  const text = (each: string) => ({ name: each, kind: "text" }) as const;
  expect(() => checkForm([text("user"), text("User")])).toThrow(FormError);
  expect(() => checkForm([text("a:b")])).toThrow(FormError);
  const many = Array.from({ length: MAX_FIELDS + 1 }, (_, n) => text(`f${n}`));
  expect(() => checkForm(many)).toThrow(FormError);
  expect(() => encodeNote({ text: undefined, fields: many })).toThrow(FormError);
  expect(checkForm(many.slice(1))).toBeUndefined();
  for (const template of Object.values(FORM_TEMPLATES)) expect(checkForm(template)).toBeUndefined();
});

test("a field is its name, which says whether it is hidden, unless its kind is given", () => {
  for (const each of ["password", "DB_PASS", "api token", "client secret", "API key", "PIN"]) {
    expect(parseField(each)).toEqual({ name: each, kind: "password" });
  }
  for (const each of ["user", "host", "shipping"]) expect(parseField(each)).toEqual({ name: each, kind: "text" });
  expect(parseField("SSH key:multiline")).toEqual({ name: "SSH key", kind: "multiline" });
  expect(parseField(" nai\u0308ve :text")).toEqual({ name: "na\u00efve", kind: "text" });
  for (const each of ["", ":", ":text", "user:", "user:line", "user:Text", "user: text", "a=b", "x".repeat(300)]) {
    expect(() => parseField(each)).toThrow(FormError);
  }
});

test("a field is found however its letters are cased", () => {
  const form = FORM_TEMPLATES.login;
  expect(findField(form, "PASSWORD")).toBe(form[1]);
  expect(findField(form, "pass")).toBeUndefined();
});

test("a form is filled in wholly, in its order, and errors name fields and no values", () => {
  const form = [...FORM_TEMPLATES.login, ...FORM_TEMPLATES["ssh-key"]];
  const values = { key: "1\n2\n", password: "s3cret", user: "me" };
  expect(decodeFields(fillForm(form, values))).toEqual([
    { name: "user", value: "me" },
    { name: "password", value: "s3cret" },
    { name: "key", value: "1\n2\n" },
  ]);
  const messageOf = (given: Record<string, string>) => {
    try {
      return fillForm(form, given);
    } catch (error) {
      return error instanceof FormError ? error.message : "another error";
    }
  };
  expect(messageOf({ user: "me", key: "\n" })).toBe("Missing: 'password', 'key'. Nothing was handed in.");
  expect(messageOf({ ...values, s3cret: "x" })).toBe("The form has only these fields: 'user', 'password', 'key'.");
  expect(messageOf({ ...values, user: "me\nyou" })).toBe("'user' takes one line only. Nothing was handed in.");
  expect(messageOf({ ...values, key: "\u001b" })).toBe("'key' has a control character. Nothing was handed in.");
  expect(messageOf({ ...values, key: "k".repeat(MAX_VALUE_LENGTH + 1) })).toBe(
    "'key' has more than 65536 characters. Nothing was handed in.",
  );
  // A member that every object has isn't a value.
  expect(() => fillForm([{ name: "constructor", kind: "text" }], {})).toThrow("Missing: 'constructor'.");
});

test("a value has a problem only where it can't be handed in", () => {
  const [line, lines] = [{ name: "a", kind: "password" } as const, { name: "a", kind: "multiline" } as const];
  expect(problemOfValue(line, "")).toBe("missing");
  expect(problemOfValue(line, "a\n")).toBe("several_lines");
  expect(problemOfValue(lines, "a\r\n\tb")).toBeUndefined();
  expect(problemOfValue(lines, "\u0000")).toBe("control_character");
  expect(problemOfValue(line, "x".repeat(MAX_VALUE_LENGTH + 1))).toBe("too_long");
});
