import assert from "node:assert/strict";
import ts from "typescript";
import { RESERVED_SEGMENTS } from "@/lib/links/alphabet.ts";
import {
  importsOf,
  lineCount,
  listFiles,
  placeOf,
  readSource,
  readSources,
  resolveImport,
  ROOT,
  type Source,
  visit,
} from "@/tests/helpers/sources.ts";
import { LONGEST_TO_COME, SPEC_PATHS, type SpecPath, STILL_TO_COME } from "@/tests/spec_paths.ts";

const MAX_FILE_LINES = 300;
const MAX_FUNCTION_LINES = 40;
const MAX_PARAMETERS = 3;

/** Who may import whom: a folder may import those of a lower rank and itself. */
const RANKS: readonly [folder: string, rank: number][] = [
  ["lib/fresh/", 0],
  ["lib/core/", 0],
  ["lib/ui/", 0],
  ["lib/client/", 1],
  ["lib/kv/", 1],
  ["components/", 2],
  ["islands/", 2],
  ["lib/links/", 2],
  ["lib/mail/", 2],
  ["lib/rate_limit_rules.ts", 1],
  ["lib/config.ts", 3],
  ["lib/chat/params/", 2],
  ["lib/chat/app.ts", 3],
  ["lib/chat/rendering/", 3],
  ["lib/chat/group_setting.ts", 3],
  ["lib/chat/user_ids.ts", 4],
  ["lib/chat/create_app.ts", 5],
  ["lib/chat/confirmations/", 4],
  ["lib/chat/realm/", 4],
  ["lib/chat/events/", 4],
  ["lib/chat/audit/", 4],
  ["lib/chat/users/", 5],
  ["lib/chat/permissions/", 6],
  ["lib/chat/user_groups/", 9],
  ["lib/chat/channel_folders/", 7],
  ["lib/chat/channels/", 8],
  ["lib/chat/emoji/", 8],
  ["lib/chat/linkifiers/", 8],
  ["lib/chat/uploads/", 8],
  ["lib/chat/attachments/", 10],
  ["lib/chat/calls/", 11],
  ["lib/chat/devices/", 11],
  ["lib/push/", 1],
  ["lib/bouncer/", 2],
  ["lib/chat/profile_fields/", 8],
  ["lib/chat/messages/", 9],
  ["lib/chat/accounts/", 10],
  ["lib/chat/announcements/", 10],
  ["lib/chat/api_keys/", 10],
  ["lib/chat/organizations/", 10],
  ["lib/chat/server_settings/", 10],
  ["lib/chat/sessions/", 10],
  ["lib/chat/subscriptions/", 9],
  ["lib/chat/user_topics/", 10],
  ["lib/chat/drafts/", 10],
  ["lib/chat/user_settings/", 10],
  ["lib/chat/typing/", 11],
  ["lib/chat/invites/", 11],
  ["lib/chat/muted_users/", 11],
  ["lib/chat/presence/", 11],
  ["lib/chat/saved_snippets/", 11],
  ["lib/chat/user_status/", 11],
  ["lib/chat/notifications/", 12],
  ["lib/chat/register/", 12],
  ["lib/chat/event_queues/", 13],
  ["lib/http/", 14],
  ["lib/cli/", 14],
  ["lib/admin/", 15],
  ["lib/build/dev.ts", 18],
  ["lib/build/", 14],
  ["routes/", 16],
  ["main.ts", 17],
];
/** Files of tests/ that may pause. */
const MAY_PAUSE = ["tests/helpers/wait.ts"];
/** Files and folders of tests/ that may read the machine's clock: those whose purpose is to measure or to shift it. */
const MAY_READ_CLOCK = ["tests/helpers/wait.ts", "tests/helpers/measure.ts", "tests/load/", "tests/tools/"];

/** Files of the server that may read the machine's clock, and browser code, which has no other. */
const MAY_READ_SYSTEM_CLOCK = ["lib/core/clock.ts", "lib/links/ranking.ts", "lib/client/", "islands/"];

/** `as` stands where a type meets what the compiler cannot know: stored values, a schema's absence, values by name. */
const MAY_CAST = [
  "lib/kv/key.ts",
  "lib/http/endpoint.ts",
  "lib/http/api_endpoint.ts",
  "lib/chat/params/read.ts",
];

const sources = readSources();
const ours = sources.filter(({ path }) => !path.startsWith("lib/fresh/"));

function folderOf(path: string): { folder: string; rank: number } {
  const found = RANKS.find(([folder]) => path.startsWith(folder));
  assert.ok(found, `${path} has no rank`);
  return { folder: found[0], rank: found[1] };
}

function assertNone(problems: readonly string[]): void {
  assert.equal(problems.length, 0, "\n" + problems.join("\n"));
}

Deno.test("imports only go downward", () => {
  const problems = sources.flatMap((source) =>
    importsOf(source).flatMap(({ specifier, isTypeOnly }) => {
      const target = resolveImport(source.path, specifier);
      if (target === null || target === "deno.json") return [];
      const from = folderOf(source.path);
      const to = folderOf(target);
      const isShown = /^(components|islands)\//.test(source.path);
      // What is shown may take any types; components hold islands, and islands are made of components.
      const isAllowed = isShown && (isTypeOnly || /^(components|islands)\//.test(target));
      return from.folder === to.folder || to.rank < from.rank || isAllowed
        ? []
        : [`${source.path} imports ${target}`];
    })
  );
  assertNone(problems);
});

Deno.test("no file imports itself by a detour", () => {
  const targets = new Map(sources.map((source) => [
    source.path,
    importsOf(source).filter(({ isTypeOnly }) => !isTypeOnly).flatMap(({ specifier }) =>
      resolveImport(source.path, specifier) ?? []
    ),
  ]));
  const state = new Map<string, "open" | "done">();
  const circles: string[] = [];
  const walk = (path: string, way: readonly string[]) => {
    if (state.get(path) === "done") return;
    if (state.get(path) === "open") return void circles.push([...way, path].join(" → "));
    state.set(path, "open");
    for (const target of targets.get(path) ?? []) walk(target, [...way, path]);
    state.set(path, "done");
  };
  // The description of the API is itself a part of the API.
  targets.set("routes/openapi.json.ts", []);
  for (const path of targets.keys()) walk(path, []);
  assertNone(circles);
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
        problems.push(`${placeOf(source, node)} is a function of ${length} lines`);
      }
      const positional = node.parameters.filter((parameter) => parameter.name.getText() !== "this");
      if (positional.length > MAX_PARAMETERS && !source.path.startsWith("lib/fresh/")) {
        problems.push(`${placeOf(source, node)} takes ${positional.length} parameters`);
      }
    });
  }
  assertNone(problems);
});

Deno.test("every exported symbol says in a sentence what it gives", () => {
  const problems = sources.filter(({ path }) => !path.startsWith("routes/")).flatMap((source) =>
    source.ast.statements.filter((statement) =>
      ts.canHaveModifiers(statement) && !ts.isImportDeclaration(statement) &&
      ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) &&
      ts.getJSDocCommentsAndTags(statement).length === 0 && !isOverload(source, statement)
    ).map((statement) => `${placeOf(source, statement)} has no docstring`)
  );
  assertNone(problems);
});

/** Overloads share the docstring of the first. */
function isOverload({ ast }: Source, statement: ts.Statement): boolean {
  const name = (node: ts.Statement) => ts.isFunctionDeclaration(node) ? node.name?.text : undefined;
  const before = ast.statements[ast.statements.indexOf(statement) - 1];
  return before !== undefined && name(statement) !== undefined && name(before) === name(statement);
}

Deno.test("nothing is cast, any or kept in module-level variables", () => {
  const problems: string[] = [];
  for (const source of ours) {
    visit(source.ast, (node) => {
      const place = () => placeOf(source, node);
      if (node.kind === ts.SyntaxKind.AnyKeyword) problems.push(`${place()} any`);
      if (ts.isNonNullExpression(node)) problems.push(`${place()} claims that something is not null`);
      const isCast = ts.isAsExpression(node) && node.type.getText() !== "const";
      if (isCast && !MAY_CAST.includes(source.path)) problems.push(`${place()} as`);
    });
    for (const statement of source.ast.statements) {
      if (!ts.isVariableStatement(statement)) continue;
      if ((statement.declarationList.flags & ts.NodeFlags.Const) === 0) {
        problems.push(`${placeOf(source, statement)} let`);
      }
      for (const { initializer } of statement.declarationList.declarations) {
        if (
          initializer !== undefined && ts.isNewExpression(initializer) &&
          /^(Weak)?(Map|Set)$/.test(initializer.expression.getText()) && initializer.arguments?.length === 0
        ) {
          problems.push(`${placeOf(source, statement)} keeps state in a module`);
        }
      }
    }
  }
  assertNone(problems);
});

Deno.test("routes hold no store, no parsing and no answers of their own", () => {
  const routes = ours.filter(({ path }) => path.startsWith("routes/"));
  const problems = routes.flatMap(({ path, text }) => [
    ...(/\bJSON\.parse\b|new Response\b|\.kv\.(get|set|list|atomic|delete)\b|Deno\./.test(text)
      ? [`${path} does more than name who, what and one call`]
      : []),
    ...(path.startsWith("routes/api/") && text.split("\n").length > 41
      ? [`${path} is longer than 40 lines`]
      : []),
  ]);
  assertNone(problems);
});

Deno.test("islands are small, and neither zod nor the store reaches the browser", () => {
  const islands = ours.filter(({ path }) => path.startsWith("islands/") || path.includes("(_islands)"));
  const problems = islands.flatMap((source) => [
    ...(source.text.split("\n").length > 121 ? [`${source.path} is longer than 120 lines`] : []),
    ...reachable(source.path).flatMap((path) =>
      /^lib\/(kv|http|cli|build|config)\b|^routes\//.test(path) || /from "(zod|node:)/.test(textOf(path))
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

Deno.test("every path of the specifications has its route and is called by a test", () => {
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

Deno.test("the list of what is still to come only gets shorter", () => {
  assert.ok(STILL_TO_COME.length <= LONGEST_TO_COME, `${STILL_TO_COME.length} paths are to come`);
  assertNone(
    STILL_TO_COME.filter((path) => routeFile(path) !== undefined).map(({ path }) => `${path} is built`),
  );
});

Deno.test("every route with endpoints is in the table that describes the API", () => {
  const table = textOf("routes/(_table)/api_routes.ts");
  const problems = ours.filter(({ path, text }) =>
    path.startsWith("routes/") && /\b(api)?endpoint\(/i.test(text)
  )
    .filter(({ path }) => !table.includes(path.replace("routes/", "../")))
    .map(({ path }) => `${path} is missing`);
  assertNone(problems);
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

Deno.test("tests wait for conditions, never for time, and choose no ports", () => {
  const tests = listFiles("tests").filter((path) => /\.tsx?$/.test(path)).map(readSource);
  const problems = tests.flatMap((source) => {
    const isAllowed = (paths: readonly string[]) => paths.some((path) => source.path.startsWith(path));
    const found: string[] = [];
    visit(source.ast, (node) => {
      const name = nameOfCall(node);
      const isPause = /^(setTimeout|setInterval|waitForTimeout)$/.test(name) && !isAllowed(MAY_PAUSE);
      const isClock = /^(Date\.now|performance\.now|new Date)$/.test(name) && !isAllowed(MAY_READ_CLOCK);
      const isPort = /^(freePort|port: [1-9]\d*)$/.test(name);
      if (isPause || isClock || isPort) found.push(`${placeOf(source, node)} ${name}`);
    });
    return found;
  });
  assertNone(problems);
});

Deno.test("the server takes time from its clock, and sorts alike in every locale", () => {
  const problems = ours.filter(({ path }) =>
    !MAY_READ_SYSTEM_CLOCK.some((allowed) => path.startsWith(allowed))
  )
    .flatMap((source) => {
      const found: string[] = [];
      visit(source.ast, (node) => {
        const isLocal = ts.isIdentifier(node) && /^(localeCompare|toLocale\w*)$/.test(node.text);
        const isClock = /^(Date\.now|performance\.now|new Date)$/.test(nameOfCall(node));
        if (isLocal || isClock) found.push(placeOf(source, node));
      });
      return found;
    });
  assertNone(problems);
});

/** Name of a function that a node calls or mentions, `new Date` without arguments, or a property `port` with a number. */
function nameOfCall(node: ts.Node): string {
  if (ts.isIdentifier(node) && /^(setTimeout|setInterval|waitForTimeout|freePort)$/.test(node.text)) {
    return node.text;
  }
  if (ts.isPropertyAccessExpression(node) && node.name.text === "now") return node.getText();
  if (ts.isNewExpression(node) && node.arguments?.length === 0) return `new ${node.expression.getText()}`;
  return ts.isPropertyAssignment(node) && node.name.getText() === "port" ? node.getText() : "";
}
