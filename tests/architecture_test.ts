import assert from "node:assert/strict";
import ts from "typescript";
import { RESERVED_SEGMENTS } from "@/lib/links/alphabet.ts";
import { findCycles, findNounCycles, layerOf, listChatEdges, nounOf } from "@/tests/helpers/layers.ts";
import {
  importsOf,
  lineCount,
  listFiles,
  readSources,
  resolveImport,
  ROOT,
  type Source,
  toLocation,
  visit,
} from "@/tests/helpers/sources.ts";
import { LONGEST_TO_COME, SPEC_PATHS, type SpecPath, STILL_TO_COME } from "@/tests/spec_paths.ts";

const MAX_FILE_LINES = 400;
const MAX_FUNCTION_LINES = 60;
const MAX_PARAMETERS = 4;

/** `as` stands where a type meets what the compiler cannot know: stored values, a schema's absence, values by name. */
const MAY_CAST = [
  "lib/store/key.ts",
  "lib/api/endpoint.ts",
  "lib/api/api_endpoint.ts",
  "lib/chat/organization/params/read.ts",
];

const sources = readSources();
const ours = sources.filter(({ path }) => !path.startsWith("lib/fresh/"));

function assertNone(problems: readonly string[]): void {
  assert.equal(problems.length, 0, "\n" + problems.join("\n"));
}

Deno.test("a layer imports only from the layers below it", () => {
  const problems = sources.flatMap((source) =>
    importsOf(source).flatMap(({ specifier, isTypeOnly }) => {
      const target = resolveImport(source.path, specifier);
      if (target === null || target === "deno.json") return [];
      const from = layerOf(source.path);
      const to = layerOf(target);
      const isShown = /^(components|islands)\//.test(source.path);
      // What is shown may take any types; components hold islands, and islands are made of components.
      const isAllowed = isShown && (isTypeOnly || /^(components|islands)\//.test(target));
      return from.folder === to.folder || to.level < from.level || isAllowed
        ? []
        : [`${source.path} imports ${target}`];
    })
  );
  assertNone(problems);
});

Deno.test("imports have no cycles, including type imports", () => {
  assertNone(findCycles(sources).map((files) => files.join(" → ")));
});

Deno.test("a group of the chat imports only from the groups below it", () => {
  const upward = listChatEdges(sources).filter(([from, to]) => nounOf(to).level > nounOf(from).level);
  assertNone(upward.map(([from, to]) => `${from} imports ${to}`));
});

Deno.test("nouns of the chat have no cycle", () => {
  assertNone(findNounCycles(sources).map((nouns) => nouns.join(" → ")));
});

Deno.test(`files have at most ${MAX_FILE_LINES} lines, functions ${MAX_FUNCTION_LINES} and ${MAX_PARAMETERS} parameters`, () => {
  const problems: string[] = [];
  for (const source of sources) {
    const lines = source.text.split("\n").length - 1;
    if (lines > MAX_FILE_LINES) problems.push(`${source.path} has ${lines} lines`);
    visit(source.ast, (node) => {
      if (!ts.isFunctionLike(node) || !("body" in node)) return;
      const length = lineCount(source, node);
      if (length > MAX_FUNCTION_LINES) {
        problems.push(`${toLocation(source, node)} is a function of ${length} lines`);
      }
      const positional = node.parameters.filter((parameter) => parameter.name.getText() !== "this");
      if (positional.length > MAX_PARAMETERS && !source.path.startsWith("lib/fresh/")) {
        problems.push(`${toLocation(source, node)} takes ${positional.length} parameters`);
      }
    });
  }
  assertNone(problems);
});

Deno.test("there are no casts, no any and no module-level state", () => {
  const problems: string[] = [];
  for (const source of ours) {
    visit(source.ast, (node) => {
      const place = () => toLocation(source, node);
      if (node.kind === ts.SyntaxKind.AnyKeyword) problems.push(`${place()} any`);
      if (ts.isNonNullExpression(node)) problems.push(`${place()} claims that something is not null`);
      const isCast = ts.isAsExpression(node) && node.type.getText() !== "const";
      if (isCast && !MAY_CAST.includes(source.path)) problems.push(`${place()} as`);
    });
    for (const statement of source.ast.statements) {
      if (!ts.isVariableStatement(statement)) continue;
      if ((statement.declarationList.flags & ts.NodeFlags.Const) === 0) {
        problems.push(`${toLocation(source, statement)} let`);
      }
      for (const { initializer } of statement.declarationList.declarations) {
        if (
          initializer !== undefined && ts.isNewExpression(initializer) &&
          /^(Weak)?(Map|Set)$/.test(initializer.expression.getText()) && initializer.arguments?.length === 0
        ) {
          problems.push(`${toLocation(source, statement)} keeps state in a module`);
        }
      }
    }
  }
  assertNone(problems);
});

Deno.test("routes contain no store access, no parsing and no responses of their own", () => {
  const routes = ours.filter(({ path }) => path.startsWith("routes/"));
  const problems = routes.flatMap(({ path, text }) => [
    ...(/\bJSON\.parse\b|new Response\b|\.kv\.(get|set|list|atomic|delete)\b|Deno\./.test(text)
      ? [`${path} does more than name access, parameters and one call`]
      : []),
    ...(path.startsWith("routes/api/") && text.split("\n").length > 41
      ? [`${path} is longer than 40 lines`]
      : []),
  ]);
  assertNone(problems);
});

Deno.test("a route of the API awaits one domain call", () => {
  const routes = ours.filter(({ path }) => path.startsWith("routes/api/"));
  const problems = routes.flatMap((source) => {
    const domain = new Set(namesFromDomain(source));
    return actionsOf(source).flatMap((action) => {
      const calls: string[] = [];
      visit(action, (node) => {
        if (!ts.isAwaitExpression(node) || !ts.isCallExpression(node.expression)) return;
        const name = node.expression.expression.getText();
        if (domain.has(name)) calls.push(name);
      });
      return calls.length > 1 ? [`${toLocation(source, action)} awaits ${calls.join(", ")}`] : [];
    });
  });
  assertNone(problems);
});

/** Names that a route imports from the chat's domains and the shortener. */
function namesFromDomain({ path, ast }: Source): string[] {
  return ast.statements.flatMap((statement) => {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) return [];
    const bindings = statement.importClause?.namedBindings;
    const isDomain = /^lib\/(chat|links)\//.test(resolveImport(path, statement.moduleSpecifier.text) ?? "");
    if (!isDomain || bindings === undefined || !ts.isNamedImports(bindings)) return [];
    return bindings.elements.map(({ name }) => name.text);
  });
}

/** The functions that a file passes to apiEndpoint(). */
function actionsOf({ ast }: Source): ts.ArrowFunction[] {
  const actions: ts.ArrowFunction[] = [];
  visit(ast, (node) => {
    if (!ts.isCallExpression(node) || node.expression.getText() !== "apiEndpoint") return;
    actions.push(...node.arguments.filter((argument) => ts.isArrowFunction(argument)));
  });
  return actions;
}

Deno.test("transactions read the acting user again with getActingUser()", () => {
  const problems = ours.flatMap(({ path, text }) =>
    path !== "lib/chat/organization/users/store.ts" && /\bgetUser\([^()]*actingUser\.id\)/.test(text)
      ? [`${path} reads the acting user with getUser(), which accepts deactivated users`]
      : []
  );
  assertNone(problems);
});

Deno.test("islands are small, and neither zod nor the store reaches the browser", () => {
  const islands = ours.filter(({ path }) => path.startsWith("islands/") || path.includes("(_islands)"));
  const problems = islands.flatMap((source) => [
    ...(source.text.split("\n").length > 121 ? [`${source.path} is longer than 120 lines`] : []),
    ...reachable(source.path).flatMap((path) =>
      /^lib\/(kv|services|api|pages|server|cli|build|config)\b|^routes\//.test(path) ||
        /from "(zod|node:)/.test(textOf(path))
        ? [`${source.path} reaches ${path}`]
        : []
    ),
  ]);
  assertNone(problems);
});

function textOf(path: string): string {
  return sources.find((source) => source.path === path)?.text ?? "";
}

/** Every file whose code an import of `path` brings along. */
function reachable(path: string, seen = new Set<string>()): string[] {
  const source = sources.find((candidate) => candidate.path === path);
  if (source === undefined || seen.has(path)) return [];
  seen.add(path);
  return [
    path,
    ...importsOf(source).flatMap(({ specifier, isTypeOnly }) => {
      const target = isTypeOnly ? null : resolveImport(path, specifier);
      return target === null ? [] : reachable(target, seen);
    }),
  ];
}

/** The file that answers a path of a specification. */
function routeFile({ path }: SpecPath): string | undefined {
  const wanted = `routes${path.replaceAll("{", "[").replaceAll("}", "]").replace(/\/$/, "")}`;
  const candidates = [`${wanted}.ts`, `${wanted}.tsx`, `${wanted}/index.ts`, `${wanted}/index.tsx`];
  return sources.map((source) => source.path).find((file) =>
    candidates.includes(file.replace("(site)/", ""))
  );
}

Deno.test("every path of the specifications has a route and a test", () => {
  const tests = listFiles("tests/api").map((path) => Deno.readTextFileSync(ROOT + path)).join("\n");
  const problems = SPEC_PATHS.filter((path) => !STILL_TO_COME.includes(path)).flatMap((path) => {
    const file = routeFile(path);
    const name = `${path.method} ${path.path.replace(/^\/api\/v1/, "")}`;
    const isNamed = tests.includes(name) || tests.includes(`"${path.path}"`);
    return [
      ...(file === undefined ? [`${path.method} ${path.path} has no route`] : []),
      ...(isNamed ? [] : [`${path.method} ${path.path} is named by no test`]),
    ];
  });
  assertNone(problems);
});

Deno.test("the list of missing endpoints only gets shorter", () => {
  assert.ok(STILL_TO_COME.length <= LONGEST_TO_COME, `${STILL_TO_COME.length} paths are to come`);
  assertNone(
    STILL_TO_COME.filter((path) => routeFile(path) !== undefined).map(({ path }) => `${path} is built`),
  );
});

Deno.test("no short id can be the first segment of a route or of a static file", () => {
  const routes = ours.map(({ path }) => path).filter((path) => path.startsWith("routes/"))
    .map((path) => path.replace(/^routes\/(\([a-z]+\)\/)?/, "").replace(/(\/.*|\.tsx?$)/, ""))
    .filter((segment) => !/^[([_]|^index$/.test(segment));
  const files = [...Deno.readDirSync(ROOT + "static")].map(({ name }) => name);
  // An id never holds a dot, so names of files cannot be ids.
  const names = [...routes, ...files].filter((segment) => !segment.includes("."));
  assertNone(names.filter((segment) => !RESERVED_SEGMENTS.includes(segment)));
});

/**
 * Rooms of a chat domain from the bottom up. Every other file, and a domain that is one file, has the highest room that
 * it imports, so that no model reaches a store in a roundabout way.
 */
const ROOMS = ["model", "store", "api", "events"] as const;
/** Foundations of every domain: services, parameters, settings, Markdown, and the sender of events. */
const FOUNDATIONS =
  /^lib\/chat\/organization\/(app\.ts|check_index\.ts|collection\.ts|params\/|organizations\/settings\.ts|rendering\/|events\/(model|send_events)\.ts)/;

Deno.test("a domain's model, store, api and events import no room above their own", () => {
  const problems = ours.flatMap((source) =>
    importsOf(source).flatMap(({ specifier }) => {
      const target = resolveImport(source.path, specifier);
      if (target === null || !target.startsWith("lib/chat/") || FOUNDATIONS.test(target)) return [];
      return roomOf(source.path) < roomOf(target) ? [`${source.path} imports ${target}`] : [];
    })
  );
  assertNone(problems);
});

/** Level of a file's room; files outside the chat's domains may import any room. */
function roomOf(path: string): number {
  if (!path.startsWith("lib/chat/") || FOUNDATIONS.test(path)) return Infinity;
  // The initial state stands above all domains.
  if (path.startsWith("lib/chat/register/")) return ROOMS.length;
  const [, , , ...inGroup] = path.replace(/\.ts$/, "").split("/");
  // A group has the files of the domain of its name beside folders of other domains.
  const parts = inGroup.length > 1 ? inGroup.slice(1) : inGroup;
  const room = ROOMS.findIndex((name) => parts.at(-1) === name || parts.slice(0, -1).includes(name));
  return room === -1 ? highestImport(path) : room;
}

/** Rooms of files by path, each of which is found once. */
const highest = new Map<string, number>();

/** Highest room that a file of the chat imports. */
function highestImport(path: string): number {
  const known = highest.get(path);
  if (known !== undefined) return known;
  const source = sources.find((one) => one.path === path);
  const targets = (source === undefined ? [] : importsOf(source)).flatMap(({ specifier }) =>
    resolveImport(path, specifier) ?? []
  );
  const rooms = targets.filter((target) => target.startsWith("lib/chat/") && !FOUNDATIONS.test(target));
  const room = Math.max(0, ...rooms.map(roomOf));
  highest.set(path, room);
  return room;
}
