import ts from "typescript";

/** One import in a source file, of whatever form. */
export interface Import {
  /** The module that is imported; undefined when that is only known at run time. */
  readonly specifier: string | undefined;
  /** True when it is gone once the types are. */
  readonly typeOnly: boolean;
}

/** By the source, as several tests ask of the same files. */
const found = new Map<string, readonly Import[]>();

/** Every import of `source`: static and dynamic, of types and of values, re-exports and `require`. */
export function findImports(source: string): readonly Import[] {
  const imports = found.get(source) ?? parseImports(source);
  found.set(source, imports);
  return imports;
}

function parseImports(source: string): Import[] {
  const file = ts.createSourceFile("file.tsx", source, ts.ScriptTarget.Latest, false, ts.ScriptKind.TSX);
  const imports: Import[] = [];
  const visit = (node: ts.Node): void => {
    const each = importOf(node);
    if (each) imports.push(each);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return imports;
}

function importOf(node: ts.Node): Import | undefined {
  if (ts.isImportDeclaration(node)) {
    return { specifier: literal(node.moduleSpecifier), typeOnly: node.importClause?.isTypeOnly === true };
  }
  if (ts.isExportDeclaration(node) && node.moduleSpecifier) {
    return { specifier: literal(node.moduleSpecifier), typeOnly: node.isTypeOnly };
  }
  if (ts.isImportEqualsDeclaration(node) && ts.isExternalModuleReference(node.moduleReference)) {
    return { specifier: literal(node.moduleReference.expression), typeOnly: node.isTypeOnly };
  }
  if (ts.isImportTypeNode(node)) {
    const { argument } = node;
    return { specifier: ts.isLiteralTypeNode(argument) ? literal(argument.literal) : undefined, typeOnly: true };
  }
  if (ts.isCallExpression(node) && isLoader(node.expression)) {
    return { specifier: literal(node.arguments[0]), typeOnly: false };
  }
  return undefined;
}

function isLoader(callee: ts.Expression): boolean {
  if (callee.kind === ts.SyntaxKind.ImportKeyword) return true;
  return ts.isIdentifier(callee) && callee.text === "require";
}

function literal(node: ts.Node | undefined): string | undefined {
  return node && ts.isStringLiteralLike(node) ? node.text : undefined;
}
