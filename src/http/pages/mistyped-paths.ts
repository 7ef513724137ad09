import type { Context } from "elysia";

const DOCUMENT = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>handoff</title>
</head>
<body>
<p>There is nothing at this address. It may be mistyped: copy the whole link again.</p>
</body>
</html>
`;

/** The answer to a browser that asks for a path that is nowhere: a sentence, and no problem in JSON. */
export function answerMistyped(set: Context["set"]): string {
  Object.assign(set.headers, {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "referrer-policy": "no-referrer",
  });
  return DOCUMENT;
}
