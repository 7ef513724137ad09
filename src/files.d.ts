/** SQL files are embedded as text. */
declare module "*.sql" {
  const text: string;
  export default text;
}

/** Files of the documentation's reader are embedded as files; what is imported is where to read them. */
declare module "swagger-ui-dist/*" {
  const path: string;
  export default path;
}

declare module "*/docs-init.js" {
  const path: string;
  export default path;
}
