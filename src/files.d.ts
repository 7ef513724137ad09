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
