import ts from "typescript";
import { resolveImport, type Source, toLocation, visit } from "./sources.ts";

/** Functions that return promises, by the files that declare them. */
type AsyncFunctions = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Returns the promises that start and are awaited after something else: when they fail meanwhile, nobody handles it.
 * Looks at calls of functions and private methods of the sources, and at combinations of such calls.
 */
export function findFloatingPromises(sources: readonly Source[]): string[] {
  const declared = new Map(sources.map((source) => [source.path, listAsync(source)]));
  return sources.flatMap((source) => {
    const names = new Set([...declared.get(source.path) ?? [], ...listImported(source, declared)]);
    const found: string[] = [];
    visit(source.ast, (node) => {
      if (isAwaitedLater(node, names) || isCollectedInLoop(node, names)) found.push(toLocation(source, node));
    });
    return found;
  });
}

/** Returns the names of a file's asynchronous functions, of private methods with their `#`. */
function listAsync({ ast }: Source): Set<string> {
  const names = new Set<string>();
  visit(ast, (node) => {
    if (!ts.isFunctionLike(node)) return;
    const modifiers = ts.canHaveModifiers(node) ? ts.getModifiers(node) ?? [] : [];
    const isAsync = modifiers.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword) ||
      node.type?.getText().startsWith("Promise<") === true;
    const isGenerator = "asteriskToken" in node && node.asteriskToken !== undefined;
    const { name } = ts.isVariableDeclaration(node.parent) ? node.parent : node;
    const isNamed = name !== undefined && (ts.isIdentifier(name) || ts.isPrivateIdentifier(name));
    if (isNamed && isAsync && !isGenerator && !isPublicMember(node)) names.add(name.text);
  });
  return names;
}

function isPublicMember({ name, parent }: ts.SignatureDeclaration): boolean {
  const isMember = ts.isClassLike(parent) || ts.isObjectLiteralExpression(parent) ||
    ts.isInterfaceDeclaration(parent);
  return isMember && (name === undefined || !ts.isPrivateIdentifier(name));
}

function listImported({ path, ast }: Source, declared: AsyncFunctions): string[] {
  return ast.statements.filter(ts.isImportDeclaration).flatMap(({ moduleSpecifier, importClause }) => {
    const file = ts.isStringLiteral(moduleSpecifier) ? resolveImport(path, moduleSpecifier.text) : null;
    const bindings = importClause?.namedBindings;
    if (file === null || bindings === undefined || !ts.isNamedImports(bindings)) return [];
    const names = bindings.elements.map(({ name, propertyName = name }) => [name.text, propertyName.text]);
    return names.flatMap(([name = "", original = ""]) => declared.get(file)?.has(original) ? [name] : []);
  });
}

/** Whether the value of an expression is a promise that has no handler yet, or an array of them. */
function isStarted(node: ts.Node, names: ReadonlySet<string>): boolean {
  if (ts.isParenthesizedExpression(node)) return isStarted(node.expression, names);
  if (ts.isConditionalExpression(node)) {
    return isStarted(node.whenTrue, names) || isStarted(node.whenFalse, names);
  }
  if (!ts.isCallExpression(node)) return false;
  const { expression, arguments: [first] } = node;
  // startAhead() is there to handle the failure.
  if (ts.isIdentifier(expression)) return names.has(expression.text) && expression.text !== "startAhead";
  if (!ts.isPropertyAccessExpression(expression)) return false;
  if (ts.isPrivateIdentifier(expression.name)) return names.has(expression.name.text);
  if (expression.getText() === "Promise.all") return true;
  const method = expression.name.text;
  const isHandled = method === "catch" || method === "then" && node.arguments.length > 1;
  if (method === "then" || method === "finally") return !isHandled && isStarted(expression.expression, names);
  return method === "map" && first !== undefined && ts.isArrowFunction(first) && isAsyncArrow(first, names);
}

function isAsyncArrow({ modifiers, body }: ts.ArrowFunction, names: ReadonlySet<string>): boolean {
  return modifiers !== undefined || isStarted(body, names);
}

/** Whether a variable holds a promise while something else is awaited. */
function isAwaitedLater(node: ts.Node, names: ReadonlySet<string>): boolean {
  if (!ts.isVariableDeclaration(node) || !ts.isIdentifier(node.name) || node.initializer === undefined) {
    return false;
  }
  if (!isStarted(node.initializer, names)) return false;
  const { text } = node.name;
  const scope = ts.findAncestor(node, (outer) => ts.isFunctionLike(outer) || ts.isSourceFile(outer)) ?? node;
  let firstUse = Infinity;
  visit(scope, (use) => {
    if (ts.isIdentifier(use) && use.text === text && use.pos >= node.end) {
      firstUse = Math.min(firstUse, use.pos);
    }
  });
  return listAwaits(scope).some((end) => end > node.end && end <= firstUse);
}

/** Whether a promise joins others in a loop that awaits something else. */
function isCollectedInLoop(node: ts.Node, names: ReadonlySet<string>): boolean {
  if (!ts.isCallExpression(node) || !node.arguments.some((argument) => isStarted(argument, names))) {
    return false;
  }
  if (!ts.isPropertyAccessExpression(node.expression) || node.expression.name.text !== "push") return false;
  const outer = ts.findAncestor(
    node,
    (each) => ts.isIterationStatement(each, false) || ts.isFunctionLike(each),
  );
  return outer !== undefined && !ts.isFunctionLike(outer) && listAwaits(outer).length > 0;
}

/** Returns the ends of the expressions that are awaited in a node, those of inner functions excepted. */
function listAwaits(node: ts.Node): number[] {
  const own = ts.isAwaitExpression(node)
    ? [node.end]
    : ts.isForOfStatement(node) && node.awaitModifier !== undefined
    ? [node.expression.end]
    : [];
  ts.forEachChild(node, (child) => {
    if (!ts.isFunctionLike(child)) own.push(...listAwaits(child));
  });
  return own;
}
