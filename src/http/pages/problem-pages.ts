import { Elysia } from "elysia";
import { isErrorCode } from "../../contract/error-codes.ts";
import { detailOf, ERRORS } from "../../contract/errors.ts";
import { Refusal } from "../../domain/values/errors.ts";

/** `/problems/{code}`: the page that the `type` of a problem links to. */
export function problemRoutes() {
  return new Elysia({ normalize: false }).get("/problems/:code", ({ params: { code }, set }) => {
    if (!isErrorCode(code)) throw new Refusal("not_found");
    const { status, title } = ERRORS[code];
    set.headers["content-type"] = "text/plain; charset=utf-8";
    return `${title}\n\n${detailOf(code)}\n\ncode: ${code}\nstatus: ${status}\n`;
  });
}
