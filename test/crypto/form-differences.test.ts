import { expect, test } from "bun:test";
import { compareToForm } from "../../src/crypto/form-differences.ts";
import { FORM_TEMPLATES } from "../../src/crypto/forms.ts";

test("what was handed in is compared with what was asked for", () => {
  const form = [...FORM_TEMPLATES.login];
  const both = [
    { name: "user", value: "me" },
    { name: "password", value: "x" },
  ];
  expect(compareToForm(form, both)).toEqual({ missing: [], several: [], unasked: [] });
  const others = [
    { name: "user", value: "" },
    { name: "Password", value: "x" },
  ];
  expect(compareToForm(form, others)).toEqual({ missing: form, several: [], unasked: others.slice(1) });
});

test("several lines differ from a field for one line, and not from one for several", () => {
  const [user, password] = FORM_TEMPLATES.login;
  const form = [user, password, ...FORM_TEMPLATES["ssh-key"]];
  const filled = form.map(({ name }) => ({ name, value: name === "user" ? "me" : "first\nsecond" }));
  expect(compareToForm(form, filled)).toEqual({ missing: [], several: [password], unasked: [] });
});
