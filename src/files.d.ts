/** SQL files are embedded as text. */
declare module "*.sql" {
  const text: string;
  export default text;
}

/** Files of the documentation's reader are embedded as text. */
declare module "swagger-ui-dist/*" {
  const text: string;
  export default text;
}

declare module "*/docs-init.js" {
  const text: string;
  export default text;
}

/** The topics of the manual are embedded as text. */
declare module "*.md" {
  const text: string;
  export default text;
}

/** Alert rules and systemd units are embedded as text. */
declare module "*.yaml" {
  const text: string;
  export default text;
}

declare module "*.service" {
  const text: string;
  export default text;
}

declare module "*.timer" {
  const text: string;
  export default text;
}
