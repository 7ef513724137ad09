import { expect, test } from "bun:test";
import { withoutColors } from "../../../src/http/pages/docs-colors.ts";

test("a sheet without its colors keeps the layout and the resets", () => {
  const sheets = {
    ".a{color:#333;margin:0}": ".a{;margin:0}",
    "a:hover{color:red;display:flex}": "a:hover{;display:flex}",
    ".a{background:none;border:0}": ".a{background:none;border:0}",
    ".a{background-color:transparent!important}": ".a{background-color:transparent!important}",
    ".a{border:1px solid #d9d9d9}": ".a{border:1px solid var(--line)}",
    ".a{border-top:2px solid rgba(0,0,0,.5);padding:1px}": ".a{border-top:2px solid var(--line);padding:1px}",
    ".a{background:url(\"data:image/svg+xml;charset=utf-8,<svg fill='red'>{};</svg>\") 1px;top:0}": ".a{;top:0}",
    "@media screen and (min-width:30em){.a{color:#fff}.b{width:1px}}":
      "@media screen and (min-width:30em){.a{}.b{width:1px}}",
    ".a{box-shadow:0 0 1px #000;text-shadow:0 1px red}": ".a{;}",
  };
  for (const [sheet, expected] of Object.entries(sheets)) expect(withoutColors(sheet)).toBe(expected);
});
