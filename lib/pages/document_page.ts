import { posix } from "node:path";
import type { Context } from "fresh";
import createParser, { type Token } from "markdown-it";
import { AppError } from "@/lib/core/errors.ts";
import { createLru } from "@/lib/core/lru.ts";
import { hasSession } from "../api/page_session.ts";
import type { State } from "../services/services.ts";

/** A document of the project as a page. */
export interface DocumentData {
  readonly title: string;
  readonly html: string;
  readonly isSignedIn: boolean;
}

type RenderedDocument = Omit<DocumentData, "isSignedIn">;

/** More than there are documents. */
const MAX_RENDERED = 300;
/** Rendering takes ten times as long as most pages, and files do not change while a server runs. */
const rendered = createLru<string, RenderedDocument>(MAX_RENDERED);

const FOLDER = new URL("../../docs/", import.meta.url);
const PICTURE = /^images\/[a-z0-9-]{1,50}\.png$/;
const NAME = /^((admin|decisions)\/)?[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/;

/**
 * Loads a document of the project by its name below docs/, without `.md`.
 * @throws AppError NOT_FOUND.
 */
export async function loadDocument(ctx: Context<State>): Promise<DocumentData> {
  const name = ctx.params["name"] ?? "";
  const known = rendered.get(name);
  const document = known ?? (NAME.test(name) ? await renderDocument(name) : null);
  if (document === null) throw new AppError("NOT_FOUND", "There is no document at this address.");
  rendered.set(name, document);
  return { ...document, isSignedIn: hasSession(ctx) };
}

/** Returns the response with a picture of the documents, `images/NAME.png` below docs/; null for another path. */
export async function loadPicture(ctx: Context<State>): Promise<Response | null> {
  const path = ctx.params["name"] ?? "";
  const bytes = PICTURE.test(path) ? await ifExists(Deno.readFile(new URL(path, FOLDER))) : null;
  if (bytes === null) return null;
  return new Response(bytes, { headers: { "content-type": "image/png", "cache-control": "max-age=3600" } });
}

async function renderDocument(name: string): Promise<RenderedDocument | null> {
  const text = await ifExists(Deno.readTextFile(new URL(`${name}.md`, FOLDER)));
  if (text === null) return null;
  // Quotation marks only: other replacements would change what is quoted from the server.
  const markdown = createParser({ html: true, typographer: true }).disable("replacements");
  const tokens = markdown.parse(text.replaceAll(/<!--.*?-->\n/gs, ""), {});
  addAnchors(tokens);
  for (const token of tokens.flatMap(({ children }) => children ?? [])) linkToPage(token, name);
  return {
    title: /^# (.+)$/m.exec(text)?.[1] ?? name,
    // Wide blocks scroll sideways, also by keys.
    html: markdown.renderer.render(tokens, markdown.options, {})
      .replaceAll(/<(pre|table)>/g, '<$1 tabindex="0">'),
  };
}

/** Returns null for a file that does not exist: an installation may lack the documents. */
async function ifExists<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}

/** Gives each heading the anchor by which links between documents name it. */
function addAnchors(tokens: readonly Token[]): void {
  for (const [at, token] of tokens.entries()) {
    if (token.type !== "heading_open") continue;
    const title = (tokens[at + 1]?.children ?? []).map(({ content }) => content).join("");
    const slug = title.toLowerCase().replace(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, "").replaceAll(" ", "-");
    token.attrSet("id", slug);
  }
}

/** Makes a link to another document lead to its page; files that are no documents have none. */
function linkToPage(token: Token, name: string): void {
  const href = token.attrGet("href");
  if (token.type !== "link_open" || typeof href !== "string" || /^(#|[a-z]+:)/.test(href)) return;
  const [file = "", anchor] = href.split("#");
  const path = posix.join("/docs", posix.dirname(name), file).replace(/\.md$/, "");
  const isDocument = file.endsWith(".md") && NAME.test(path.slice("/docs/".length)) &&
    path.startsWith("/docs/");
  if (isDocument) token.attrSet("href", anchor === undefined ? path : `${path}#${anchor}`);
  else token.attrs = [];
}
