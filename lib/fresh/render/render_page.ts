import "./preact_hooks.ts";
import { Fragment, h, type JSX } from "preact";
import { jsxTemplate } from "preact/jsx-runtime";
import { renderToString } from "preact-render-to-string";
import type { BuildAssets, Island } from "../build/build_assets.ts";
import type { Context } from "../context.ts";
import { runRender } from "../runtime/asset.ts";
import { RenderScope } from "./render_scope.ts";
import type { PageProps, RouteComponent } from "../types.ts";

/** The components around a page: the app wrapper and the layouts, outermost first. */
export interface Wrappers<State> {
  readonly app: RouteComponent<State> | null;
  readonly layouts: readonly RouteComponent<State>[];
}

/** The props of a component of this request; `Component` is what the component wraps. */
export function pageProps<State>(
  { params, req, route, state, url }: Context<State>,
  Component: PageProps["Component"],
  data: unknown,
): PageProps<unknown, State> {
  return { Component, data, params, req, route, state, url };
}

/** An element to send, with what goes around it. */
export interface PageRequest<State> {
  vnode: JSX.Element | null;
  init: ResponseInit;
  wrappers: Wrappers<State>;
  /** Null for an app that was not built, which has no islands. */
  buildCache: BuildAssets | null;
}

/** The response of an element in its layouts and app wrapper. */
export function renderPage<State>(
  ctx: Context<State>,
  { vnode, init, wrappers: { app, layouts }, buildCache }: PageRequest<State>,
): Promise<Response> {
  const content = layouts.reduceRight<JSX.Element | null>(
    (inner, layout) => h(layout, pageProps(ctx, () => inner, null)),
    vnode,
  );
  const scope = new RenderScope(buildCache?.islands ?? new Map());
  const clientEntry = buildCache?.clientEntry ?? "";
  const html = runRender(scope, () => {
    // The page is rendered before its wrapper, so that the wrapper's head can hold what the page put there.
    const page = renderToString(content ?? h(Fragment, null));
    const shell = app === null
      ? page
      : renderToString(h(app, pageProps(ctx, () => jsxTemplate([page]), null)));
    return completeDocument(shell, scope, clientEntry);
  });
  const headers = new Headers(init.headers);
  headers.set("Content-Type", "text/html; charset=utf-8");
  if (scope.islands.size > 0) headers.append("Link", preloadHeader(scope, clientEntry));
  const response = new Response(html, { ...init, headers });
  return Promise.resolve(Object.assign(response, { [NONCE]: scope.nonce }));
}

function completeDocument(shell: string, scope: RenderScope, clientEntry: string): string {
  const script = islandScript(scope, clientEntry);
  const { documentParts } = scope;
  let html = documentParts.has("body") ? appendToBody(shell, script) : `<body>${shell}${script}</body>`;
  if (!documentParts.has("head")) {
    const rest = renderToString(h(Fragment, null, scope.takeHead()));
    html = insertHead(html, `<head><meta charset="utf-8"/>${rest}</head>`);
  }
  if (!documentParts.has("html")) html = `<html>${html}</html>`;
  return `<!DOCTYPE html>${html}`;
}

function appendToBody(html: string, script: string): string {
  const end = html.lastIndexOf("</body>");
  return html.slice(0, end) + script + html.slice(end);
}

function insertHead(html: string, head: string): string {
  const start = /^<html[^>]*>/.exec(html)?.[0].length ?? 0;
  return html.slice(0, start) + head + html.slice(start);
}

/** Property of a page's response with the nonce of its inline scripts and styles. */
const NONCE = Symbol.for("__freshNonce");

/** Returns the nonce of a page's response; null for any other, also for one made from the parts of a page's. */
export function readNonce(response: Response): string | null {
  const nonce: unknown = Reflect.get(response, NONCE);
  return typeof nonce === "string" && nonce !== "" ? nonce : null;
}

/** The inline script that starts the page's islands; nothing for a page without any. */
function islandScript({ islands: used, islandProps, nonce }: RenderScope, clientEntry: string): string {
  if (used.size === 0) return "";
  const islands = [...used];
  const imports = islands.map((island, index) => importStatement(island, `i${index}`)).join("");
  const components = islands.map(({ name }, index) => `${JSON.stringify(name)}:i${index}`).join(",");
  const props = JSON.stringify(JSON.stringify(islandProps)).replaceAll("<", "\\u003c");
  return `<script type="module" nonce="${nonce}">` +
    `import{boot}from${quoted(clientEntry)};${imports}boot({${components}},${props})</script>`;
}

function importStatement({ file, exportName }: Island, binding: string): string {
  const imported = exportName === "default" ? binding : `{${exportName} as ${binding}}`;
  return `import ${imported} from${quoted(file)};`;
}

function quoted(url: string): string {
  return JSON.stringify(encodeURI(url));
}

/** The Link header that has the browser load the scripts early. */
function preloadHeader({ islands }: RenderScope, clientEntry: string): string {
  const files = new Set([clientEntry, ...Array.from(islands, (island) => island.file)]);
  return Array.from(files, (file) => `<${encodeURI(file)}>; rel="modulepreload"; as="script"`).join(", ");
}
