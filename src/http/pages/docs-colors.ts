/** A declaration, with the text before it: a value may have semicolons and braces in quotes and parentheses. */
const DECLARATION =
  /([;{]\s*)([\w-]+)\s*:\s*((?:"[^"]*"|'[^']*'|\((?:"[^"]*"|'[^']*'|[^()"'])*\)|[^;{}"'()])*)(?=[;}])/g;
const COLOR = /#[0-9a-f]{3,8}\b|(?:rgb|hsl)a?\([^)]*\)|\b(?:white|black|gray|grey|red|green|blue|orange)\b/gi;
const PAINTED =
  /^(?:color|fill|stroke|background|background-color|background-image|(?:border|outline)(?:-\w+)?-color|box-shadow|text-shadow)$/;
const BORDER = /^(?:border|outline)(?:-(?:top|right|bottom|left|block|inline))?$/;
/** Values that paint nothing, and reset the default style of an element. */
const PLAIN = /^(?:none|transparent|inherit|initial|unset|currentcolor|0|0 0)(?:\s*!important)?$/i;

/**
 * Returns a style sheet without its colors, shadows and pictures. It keeps the layout, so that a later sheet alone
 * decides the colors of each theme. Borders stay, in the color of lines.
 */
export function withoutColors(styles: string): string {
  return styles.replaceAll(DECLARATION, (whole, before: string, property: string, value: string) => {
    if (BORDER.test(property)) return `${before}${property}:${value.replaceAll(COLOR, "var(--line)")}`;
    return PAINTED.test(property) && !PLAIN.test(value.trim()) ? before : whole;
  });
}
