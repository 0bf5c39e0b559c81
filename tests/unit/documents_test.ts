import assert from "node:assert/strict";
import { posix } from "node:path";
import createParser, { type Token } from "markdown-it";
import ts from "typescript";
import { listFiles, readSource, ROOT, visit } from "@/tests/helpers/sources.ts";

/** A Markdown document of the project. */
interface Document {
  /** Below the project's folder: `docs/api.md`. */
  readonly path: string;
  readonly text: string;
  readonly tokens: readonly Token[];
}

/** A code block and the line before it. */
interface Example {
  /** `CONTRIBUTING.md:74 (Example: an endpoint)`, for messages. */
  readonly name: string;
  /** Title of the section that the block is in. */
  readonly section: string;
  readonly code: string;
  /** Source file that the line before the block names; null without one. */
  readonly file: string | null;
}

const CONFIG = "lib/config.ts";
const CONFIGURATION = "docs/configuration.md";
const MAX_README_BYTES = 15_000;
const MAX_PAGE_LINES = 300;
/** Titles of the sections of CONTRIBUTING.md that quote source files. */
const EXAMPLE_SECTIONS = [
  "Example: an endpoint",
  "Example: a small noun",
  "Example: a page",
  "Example: a setting of the organization",
  "Example: a permission of channels",
  "Example: a migration",
  "Example: an event",
];
/** A code span that names a file or folder of the project; patterns with an asterisk are none. */
const PROJECT_PATH =
  /^(?:(?:\.ci|components|deploy|docs|islands|lib|routes|static|tests)(?:\/[^\s*…]+)+|main\.ts)\/?$/;

const markdown = createParser({ html: true });
const documents = [
  "README.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  "CHANGELOG.md",
  ...listFiles("docs").filter((path) => path.endsWith(".md")).sort(),
].map(readDocument);

Deno.test("every relative link and anchor of the documents resolves", () => {
  const broken = documents.flatMap((document) =>
    linksOf(document).flatMap((href) => {
      const problem = findLinkProblem(document, href);
      return problem === null ? [] : [`${document.path}: ${href} ${problem}`];
    })
  );
  assert.deepEqual(broken, []);
});

Deno.test("every file and folder mentioned in the documents exists", () => {
  const missing = documents.flatMap(({ path, tokens }) =>
    codeSpansOf(tokens)
      .filter((span) => PROJECT_PATH.test(span) && !exists(span))
      .map((span) => `${path}: ${span} does not exist`)
  );
  assert.deepEqual(missing, []);
});

Deno.test("every TypeScript example of CONTRIBUTING.md occurs in the file it names", () => {
  const problems = examplesOf(getDocument("CONTRIBUTING.md")).flatMap(({ name, code, file }) => {
    if (file === null) return [`${name}: the line before it must end with \`path/to/file.ts\`:`];
    if (!exists(file)) return [`${name}: ${file} does not exist`];
    const isQuoted = normalize(Deno.readTextFileSync(ROOT + file)).includes(normalize(code));
    return isQuoted ? [] : [`${name}: ${file} does not contain\n${code}`];
  });
  assert.deepEqual(problems, [], problems.join("\n"));
});

Deno.test("CONTRIBUTING.md has an example of each kind of change", () => {
  const sections = new Set(examplesOf(getDocument("CONTRIBUTING.md")).map(({ section }) => section));
  assert.deepEqual([...sections], EXAMPLE_SECTIONS);
});

Deno.test("the documented environment variables are those that the configuration reads", () => {
  const read = configVariables().filter(isOwnVariable);
  assert.ok(read.length > 0, `${CONFIG} reads no variables: has the schema \`environment\` moved?`);
  const documented = [...getDocument(CONFIGURATION).text.matchAll(/\*\*`([A-Z][A-Z0-9_]+)`\*\*/g)]
    .map(([, name = ""]) => name);
  assert.deepEqual(documented.toSorted(), read.toSorted());
});

Deno.test("every task mentioned in the documents exists", () => {
  const tasks: Record<string, string> = JSON.parse(Deno.readTextFileSync(`${ROOT}deno.json`)).tasks;
  const missing = documents.flatMap(({ path, text }) =>
    [...text.matchAll(/\bdeno(?:@[\d.]+)?\s+task\s+(?:-\w\s+)*([a-z]+(?::[a-z]+)*)/g)]
      .filter(([, name = ""]) => !Object.hasOwn(tasks, name))
      .map(([command]) => `${path}: ${command}`)
  );
  assert.deepEqual(missing, []);
});

Deno.test("README.md and every page stay short", () => {
  const { size } = Deno.statSync(`${ROOT}README.md`);
  assert.ok(size < MAX_README_BYTES, `README.md has ${size} bytes`);
  const long = documents
    // A changelog only grows.
    .filter(({ path }) => path !== "CHANGELOG.md")
    .map(({ path, text }) => ({ path, lines: text.trimEnd().split("\n").length }))
    .filter(({ lines }) => lines >= MAX_PAGE_LINES)
    .map(({ path, lines }) => `${path} has ${lines} lines`);
  assert.deepEqual(long, []);
});

function readDocument(path: string): Document {
  const text = Deno.readTextFileSync(ROOT + path);
  return { path, text, tokens: markdown.parse(text, {}) };
}

function getDocument(path: string): Document {
  const document = documents.find((document) => document.path === path);
  assert.ok(document, `There is no document ${path}`);
  return document;
}

/** Targets of the links and images of a document. */
function linksOf({ tokens }: Document): string[] {
  return inlineTokens(tokens).flatMap((token) => {
    const target = token.type === "link_open" ? token.attrGet("href") : token.attrGet("src");
    return target === null ? [] : [decodeURI(String(target))];
  });
}

/** Returns the problem of a link; null for one that resolves or leads out of the project. */
function findLinkProblem(from: Document, href: string): string | null {
  if (/^[a-z][a-z+.-]*:/i.test(href)) return null;
  const [file = "", anchor] = href.split("#");
  const path = file === "" ? from.path : posix.join(posix.dirname(from.path), file);
  if (path.startsWith("../") || posix.isAbsolute(path)) return "leads out of the project";
  if (!exists(path)) return "does not exist";
  if (anchor === undefined) return null;
  const target = documents.find((document) => document.path === path);
  if (target === undefined) return "has an anchor, but its target is not a document";
  return anchorsOf(target).includes(anchor) ? null : "has no such heading";
}

/** Anchors of the headings of a document, as code hosting sites derive them. */
function anchorsOf({ tokens }: Document): string[] {
  const uses = new Map<string, number>();
  return tokens.filter((_, index) => tokens[index - 1]?.type === "heading_open").map((token) => {
    const slug = textOf(token).toLowerCase().replace(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, "").replaceAll(" ", "-");
    const count = uses.get(slug) ?? 0;
    uses.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  });
}

function textOf({ children }: Token): string {
  return (children ?? []).map(({ content }) => content).join("");
}

/** The `ts` and `tsx` code blocks of a document. */
function examplesOf({ path, text, tokens }: Document): Example[] {
  const lines = text.split("\n");
  let section = "";
  return tokens.flatMap((token, index) => {
    if (tokens[index - 1]?.type === "heading_open") section = textOf(token);
    if (token.type !== "fence" || !/^tsx?$/.test(token.info.trim())) return [];
    const line = token.map?.[0] ?? 0;
    const before = lines.slice(0, line).findLast((text) => text.trim() !== "") ?? "";
    const file = /`([^`\s]+\.tsx?)`:$/.exec(before)?.[1] ?? null;
    return [{ name: `${path}:${line + 1} (${section})`, section, code: token.content, file }];
  });
}

function codeSpansOf(tokens: readonly Token[]): string[] {
  return inlineTokens(tokens).filter(({ type }) => type === "code_inline").map(({ content }) => content);
}

function inlineTokens(tokens: readonly Token[]): Token[] {
  return tokens.flatMap(({ children }) => children ?? []);
}

/** Names of the environment variables that the configuration's schema reads. */
function configVariables(): string[] {
  const names: string[] = [];
  visit(readSource(CONFIG).ast, (node) => {
    if (!ts.isVariableDeclaration(node) || node.name.getText() !== "environment") return;
    const schema = node.initializer;
    if (schema === undefined || !ts.isCallExpression(schema)) return;
    const [shape] = schema.arguments;
    if (shape === undefined || !ts.isObjectLiteralExpression(shape)) return;
    names.push(...shape.properties.flatMap(({ name }) => name === undefined ? [] : [name.getText()]));
  });
  return names;
}

/** Whether operators set a variable for Sotto; the names of Deno's own variables begin with `DENO_`. */
function isOwnVariable(name: string): boolean {
  return !name.startsWith("DENO_");
}

function normalize(code: string): string {
  return code.replace(/\s+/g, " ").trim();
}

function exists(path: string): boolean {
  try {
    Deno.statSync(ROOT + path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
