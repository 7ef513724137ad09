import { expect, test } from "bun:test";
import { printable } from "../../../src/web/parts/printable.ts";

test("a name shows its direction marks instead of changing the text around it", () => {
  expect(printable("invoice\u202Efdp.exe")).toBe("invoice\uFFFDfdp.exe");
  expect(printable("\u2066a\u2069 \u001B[31m\u0085")).toBe("\uFFFDa\uFFFD \uFFFD[31m\uFFFD");
  expect(printable("two\n\tlines, מפתח 鍵 👩‍💻")).toBe("two\n\tlines, מפתח 鍵 👩‍💻");
});
