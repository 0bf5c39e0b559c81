import assert from "node:assert/strict";
import ts from "typescript";
import { findFloatingPromises } from "@/tests/helpers/floating_promises.ts";
import {
  listFiles,
  readSource,
  readSources,
  ROOT,
  type Source,
  toLocation,
  visit,
} from "@/tests/helpers/sources.ts";

/** Files of tests/ that may set timers: to pause until a condition is read again, and to sample the event loop. */
const MAY_SET_TIMERS = ["tests/helpers/wait.ts", "tests/helpers/event_loop.ts"];
/** Files and folders of tests/ that may read the machine's clock: those whose purpose is to measure or to shift it. */
const MAY_READ_CLOCK = [
  "tests/helpers/wait.ts",
  "tests/helpers/measure.ts",
  "tests/helpers/event_loop.ts",
  "tests/load/",
  "tests/tools/",
  "tests/fuzz/main.ts",
];

/** Files of the server that may read the machine's clock, and browser code, which has no other. */
const MAY_READ_SYSTEM_CLOCK = [
  "lib/core/clock.ts",
  "lib/links/visit_compactor.ts",
  "lib/client/",
  "islands/",
];

const sources = readSources();
const ours = sources.filter(({ path }) => !path.startsWith("lib/fresh/"));
const tests = listFiles("tests").filter((path) => /\.tsx?$/.test(path)).map(readSource);

function assertNone(problems: readonly string[]): void {
  assert.equal(problems.length, 0, "\n" + problems.join("\n"));
}

Deno.test("tests wait for conditions, not for time, and use no fixed ports", () => {
  const problems = tests.flatMap((source) => {
    const isAllowed = (paths: readonly string[]) => paths.some((path) => source.path.startsWith(path));
    const found: string[] = [];
    visit(source.ast, (node) => {
      const name = nameOfCall(node);
      const isPause = /^(setTimeout|setInterval|waitForTimeout)$/.test(name) && !isAllowed(MAY_SET_TIMERS);
      const isClock = /^(Date\.now|performance\.now|new Date)$/.test(name) && !isAllowed(MAY_READ_CLOCK);
      const isPort = /^(freePort|port: [1-9]\d*)$/.test(name);
      if (isPause || isClock || isPort) found.push(`${toLocation(source, node)} ${name}`);
    });
    return found;
  });
  assertNone(problems);
});

Deno.test("a promise is awaited where it starts, or has a handler from then on", () => {
  const text = `async function read() {}
    async function send() { const settings = read(); await other(); return await settings; }
    async function list() { for await (const id of ids) reading.push(read(id)); }
    async function both() { const [first, second] = await Promise.all([read(), read()]); await other(); }`;
  const ast = ts.createSourceFile("lib/sample.ts", text, ts.ScriptTarget.Latest, true);
  assert.deepEqual(findFloatingPromises([{ path: "lib/sample.ts", text, ast }]), [
    "lib/sample.ts:2",
    "lib/sample.ts:3",
  ]);
  assertNone(findFloatingPromises(sources));
});

/** Actions on a page that wait until its islands work. */
const ACTIONS =
  /^(boundingBox|check|click|fill|getAttribute|innerText|inputValue|press|screenshot|textContent)$/;

Deno.test("actions on one page follow one another", () => {
  const problems = tests.filter(({ path }) => path.startsWith("tests/browser/")).flatMap((source) => {
    const found: string[] = [];
    visit(source.ast, (node) => {
      if (!ts.isCallExpression(node) || node.expression.getText() !== "Promise.all") return;
      const actors = actorsOf(node);
      const isMapped = /^Promise\.all\(\s*\w+\.map\(/.test(node.getText());
      const mayRepeat = isMapped ? actors.length > 0 : new Set(actors).size < actors.length;
      if (mayRepeat) found.push(toLocation(source, node));
    });
    return found;
  });
  assertNone(problems);
});

/** Returns the variable that each action within a node starts from, such as the page, once for each action. */
function actorsOf(node: ts.Node): string[] {
  const actors: string[] = [];
  visit(node, (inner) => {
    if (!ts.isPropertyAccessExpression(inner) || !ACTIONS.test(inner.name.text)) return;
    actors.push(startOf(inner).getText());
  });
  return actors;
}

/** Returns the expression at the start of a chain of calls and properties. */
function startOf(node: ts.Expression): ts.Expression {
  const isChained = ts.isCallExpression(node) || ts.isPropertyAccessExpression(node);
  return isChained ? startOf(node.expression) : node;
}

Deno.test("the server uses its own clock and no locale-dependent sorting", () => {
  const problems = ours.filter(({ path }) =>
    !MAY_READ_SYSTEM_CLOCK.some((allowed) => path.startsWith(allowed))
  )
    .flatMap((source) => {
      const found: string[] = [];
      visit(source.ast, (node) => {
        const isLocal = ts.isIdentifier(node) && /^(localeCompare|toLocale\w*)$/.test(node.text);
        const isClock = /^(Date\.now|performance\.now|new Date)$/.test(nameOfCall(node));
        if (isLocal || isClock) found.push(toLocation(source, node));
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

/** Parts of identifiers that have a standard term instead, as CONTRIBUTING.md lists them. */
const REFUSED_PARTS = new Set(
  "tell tells told telling teller poke pokes courier world sight sights knower knowers somebody anybody whoever heard hears said deeds"
    .split(" "),
);
/** Words that comments do without, and openings of docstrings that make a reader guess. */
const REFUSED_WORDS =
  /\b(he|him|his|himself|somebody|whoever|whomever|tells?|told|telling|sight|knowers?|poke[ds]?|courier|out of use)\b/i;
const REFUSED_OPENING = /^\/\*\*[\s*]*(What|Who|Whom|Whose|That|Where|So many|How)\b/;

Deno.test("identifiers and comments use the field's terms", () => {
  const tests = listFiles("tests").filter((path) =>
    /\.tsx?$/.test(path) && !path.includes("architecture_test")
  )
    .map(readSource);
  const problems = [...sources, ...tests].filter(({ path }) => path !== "tests/style_test.ts").flatMap(
    (source) => {
      const found = new Set<string>();
      visit(source.ast, (node) => {
        if (!ts.isIdentifier(node) && !ts.isPrivateIdentifier(node)) return;
        const parts = node.text.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? [];
        if (parts.some((part) => REFUSED_PARTS.has(part.toLowerCase()))) {
          found.add(`${source.path} ${node.text}`);
        }
      });
      for (const { index, text } of commentsOf(source)) {
        const line = source.text.slice(0, index).split("\n").length;
        const word = REFUSED_OPENING.exec(text)?.[1] ?? REFUSED_WORDS.exec(text)?.[0];
        if (word !== undefined) found.add(`${source.path}:${line} "${word}" in a comment`);
      }
      return [...found];
    },
  );
  assertNone(problems);
});

/** Texts that a specification fixes, to the character. */
const FIXED_TEXTS = ["Whoever made this link may not invite to that role."];
/** Folders with the text of pages, which has a plain word for each of REFUSED_IN_PAGES. */
const PAGE_FOLDERS = /^(components|islands|lib\/(pages|admin|ui|mail|client))\//;
const REFUSED_IN_PAGES = new RegExp(
  [
    "\\b(anybody|everybody|e-mails?|colours?|for ever|at most|at once|is like that|no longer holds)\\b",
    "\\b(whoever|whatever|somebody|nobody is|may not|stands? here|holds?|of before|not lately|take back)\\b",
    "\\b(as the organization has it|further channels|own words|say first|for you|the figures along)\\b",
    "^(who|that|those|what) (?!a|can|pronouns|is|are|has|have|this|the|users|people|administrators|channel)",
  ].join("|"),
  "i",
);

const REFUSED_IN_DOCUMENTS = /\b(anybody|everybody|e-mails?|colours?)\b/i;

Deno.test("user-visible text uses the field's terms", () => {
  const problems = ours.flatMap((source) => {
    const found: string[] = [];
    visit(source.ast, (node) => {
      const text = textOf(node);
      if (text === null || !/\w \w/.test(text) || FIXED_TEXTS.includes(text)) return;
      const word = REFUSED_WORDS.exec(text) ??
        (PAGE_FOLDERS.test(source.path) ? REFUSED_IN_PAGES.exec(text) : null);
      if (word !== null) found.push(`${toLocation(source, node)} "${word[0]}" in "${text.trim()}"`);
    });
    return found;
  });
  assertNone(problems);
});

Deno.test("documents use the field's terms", () => {
  const documents = [
    ...["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"],
    ...listFiles("docs").filter((path) => path.endsWith(".md")),
  ];
  const problems = documents.flatMap((path) =>
    Deno.readTextFileSync(ROOT + path).split("\n").flatMap((line, at) => {
      const word = REFUSED_WORDS.exec(line) ?? REFUSED_IN_DOCUMENTS.exec(line);
      return word === null ? [] : [`${path}:${at + 1} "${word[0]}"`];
    })
  );
  assertNone(problems);
});

/** Text of a string literal, of a part of a template, or between JSX tags; null for other nodes. */
function textOf(node: ts.Node): string | null {
  const isText = ts.isStringLiteral(node) || ts.isJsxText(node) || ts.isNoSubstitutionTemplateLiteral(node) ||
    ts.isTemplateHead(node) || ts.isTemplateMiddle(node) || ts.isTemplateTail(node);
  return isText ? node.text : null;
}

/** Comments of a file with their positions. */
function commentsOf({ text, ast }: Source): { index: number; text: string }[] {
  const starts = new Map<number, string>();
  visit(ast, (node) => {
    for (const range of ts.getLeadingCommentRanges(text, node.getFullStart()) ?? []) {
      starts.set(range.pos, text.slice(range.pos, range.end));
    }
  });
  return [...starts].map(([index, comment]) => ({ index, text: comment }));
}
