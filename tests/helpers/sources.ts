import { fileURLToPath } from "node:url";
import ts from "typescript";

/** The project's folder, with a final slash. */
export const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** One source file, parsed. */
export interface Source {
  /** Below the project's folder: `lib/kv/page.ts`. */
  readonly path: string;
  readonly text: string;
  readonly ast: ts.SourceFile;
}

/** One import of a file. */
export interface Import {
  readonly specifier: string;
  /** Whether only types are taken, which leave nothing at run time. */
  readonly isTypeOnly: boolean;
}

const FOLDERS = ["lib", "routes", "islands", "components"];

/** Every source file that is part of the server, main.ts included. */
export function readSources(): Source[] {
  const paths = ["main.ts", ...FOLDERS.flatMap((folder) => listFiles(folder))];
  return paths.filter((path) => /\.tsx?$/.test(path)).sort().map(readSource);
}

/** Every file below a folder, in any order. */
export function listFiles(folder: string): string[] {
  return [...Deno.readDirSync(ROOT + folder)].flatMap(({ name, isDirectory }) =>
    isDirectory ? listFiles(`${folder}/${name}`) : [`${folder}/${name}`]
  );
}

/** Reads and parses one file, by its path below the project's folder. */
export function readSource(path: string): Source {
  const text = Deno.readTextFileSync(ROOT + path);
  return { path, text, ast: ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true) };
}

/** What a file imports and re-exports, dynamic imports of fixed names included. */
export function importsOf({ ast }: Source): Import[] {
  const imports: Import[] = [];
  visit(ast, (node) => {
    if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
      imports.push({ specifier: node.moduleSpecifier.text, isTypeOnly: isTypeImport(node.importClause) });
    } else if (
      ts.isExportDeclaration(node) && node.moduleSpecifier && ts.isStringLiteral(node.moduleSpecifier)
    ) {
      imports.push({ specifier: node.moduleSpecifier.text, isTypeOnly: node.isTypeOnly });
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const [argument] = node.arguments;
      if (argument !== undefined && ts.isStringLiteral(argument)) {
        imports.push({ specifier: argument.text, isTypeOnly: false });
      }
    }
  });
  return imports;
}

function isTypeImport(clause: ts.ImportClause | undefined): boolean {
  if (clause === undefined) return false;
  if (clause.isTypeOnly) return true;
  const { namedBindings } = clause;
  if (clause.name !== undefined || namedBindings === undefined || !ts.isNamedImports(namedBindings)) {
    return false;
  }
  return namedBindings.elements.every(({ isTypeOnly }) => isTypeOnly);
}

/** The project's file that an import leads to, or null for a package. */
export function resolveImport(from: string, specifier: string): string | null {
  if (specifier.startsWith("@/")) return specifier.slice(2);
  if (!specifier.startsWith(".")) return null;
  return new URL(specifier, `file:///${from}`).pathname.slice(1).replaceAll("%5B", "[").replaceAll(
    "%5D",
    "]",
  );
}

/** Calls `see` for a node and all below it. */
export function visit(node: ts.Node, see: (node: ts.Node) => void): void {
  see(node);
  ts.forEachChild(node, (child) => visit(child, see));
}

/** `path:line` of a node, for messages. */
export function placeOf({ path, ast }: Source, node: ts.Node): string {
  return `${path}:${ast.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
}

/** How many lines a node takes. */
export function lineCount({ ast }: Source, node: ts.Node): number {
  const line = (position: number) => ast.getLineAndCharacterOfPosition(position).line;
  return line(node.getEnd()) - line(node.getStart()) + 1;
}
