import { expect, test } from "bun:test";
import { isAddress, parseMailCode } from "../../../src/web/parts/typed-mail.ts";

test("a code is eight digits of any script, whatever stands between them", () => {
  for (const text of [
    "12345678",
    " 1234 5678\n",
    "1234-5678",
    "1234–5678",
    "１２３４５６７８",
    "١٢٣٤٥٦٧٨",
    "۱۲۳۴۵۶۷۸",
  ]) {
    expect([text, parseMailCode(text)]).toEqual([text, "12345678"]);
  }
  for (const text of ["", "1234567", "123456789", "1234567a", "1".repeat(1000)]) {
    expect([text, parseMailCode(text)]).toEqual([text, undefined]);
  }
});

test("an address has one @ between two texts without spaces", () => {
  for (const text of ["ann@example.com", "a@b"]) expect([text, isAddress(text)]).toEqual([text, true]);
  for (const text of ["", "ann", "@example.com", "ann@", "a@b@c", "a n@example.com"]) {
    expect([text, isAddress(text)]).toEqual([text, false]);
  }
});
