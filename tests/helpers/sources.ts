import { fileURLToPath } from "node:url";
import ts from "typescript";

/** Folder of the project, with a trailing slash. */
export const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** A parsed source file. */
export interface Source {
  /** Path relative to the project's folder, such as `lib/store/reads.ts`. */
  readonly path: string;
  readonly text: string;
  readonly ast: ts.SourceFile;
}

/** An import of a file. */
export interface Import {
  readonly specifier: string;
  /** Whether the import has only types, which are erased at run time. */
  readonly isTypeOnly: boolean;
}

const FOLDERS = ["lib", "routes", "islands", "components"];

/** Reads every source file of the server, including main.ts. */
export function readSources(): Source[] {
  const paths = ["main.ts", ...FOLDERS.flatMap((folder) => listFiles(folder))];
  return paths.filter((path) => /\.tsx?$/.test(path)).sort().map(readSource);
}

/** Lists every file below a folder, in any order, except those of projects that tests create for a moment. */
export function listFiles(folder: string): string[] {
  const entries = [...Deno.readDirSync(ROOT + folder)].filter(({ name }) => !name.startsWith("tmp_"));
  return entries.flatMap(({ name, isDirectory }) =>
    isDirectory ? listFiles(`${folder}/${name}`) : [`${folder}/${name}`]
  );
}

/** Files that were parsed, by their paths: the tests of style and of architecture look at the same ones. */
const parsed = new Map<string, Source>();

/** Reads and parses a file by its path relative to the project's folder, once in a process. */
export function readSource(path: string): Source {
  const known = parsed.get(path);
  if (known !== undefined) return known;
  const text = Deno.readTextFileSync(ROOT + path);
  const source = { path, text, ast: ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true) };
  parsed.set(path, source);
  return source;
}

/** Returns the imports and re-exports of a file, including dynamic imports with a literal name. */
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

/** Returns the project file that an import resolves to, or null for a package. */
export function resolveImport(from: string, specifier: string): string | null {
  if (specifier.startsWith("@/")) return specifier.slice(2);
  if (!specifier.startsWith(".")) return null;
  return new URL(specifier, `file:///${from}`).pathname.slice(1).replaceAll("%5B", "[").replaceAll(
    "%5D",
    "]",
  );
}

/** Calls `see` for a node and all its descendants. */
export function visit(node: ts.Node, see: (node: ts.Node) => void): void {
  see(node);
  ts.forEachChild(node, (child) => visit(child, see));
}

/** Returns `path:line` of a node, for messages. */
export function toLocation({ path, ast }: Source, node: ts.Node): string {
  return `${path}:${ast.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
}

/** Returns the number of lines of a node. */
export function lineCount({ ast }: Source, node: ts.Node): number {
  const line = (position: number) => ast.getLineAndCharacterOfPosition(position).line;
  return line(node.getEnd()) - line(node.getStart()) + 1;
}
