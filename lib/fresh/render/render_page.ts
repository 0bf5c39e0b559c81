import "./preact_hooks.ts";
import { Fragment, h, type JSX } from "preact";
import { jsxTemplate } from "preact/jsx-runtime";
import { renderToString } from "preact-render-to-string";
import type { BuildAssets } from "../build/build_assets.ts";
import type { Context } from "../context.ts";
import { runRender } from "../runtime/asset.ts";
import { callComponent, pageProps, type RouteComponent, type Wrappers } from "./wrappers.ts";
import { RenderScope } from "./render_scope.ts";
import type { Island } from "./island.ts";
import { serialize } from "./serialize.ts";

/** An element to send, with what goes around it. */
export interface PageRequest<State> {
  vnode: JSX.Element | null;
  init: ResponseInit;
  wrappers: Wrappers<State>;
  buildCache: BuildAssets;
}

/** The response of an element in its layouts and app wrapper; an asynchronous wrapper may answer instead. */
export async function renderPage<State>(
  ctx: Context<State>,
  { vnode, init, wrappers, buildCache }: PageRequest<State>,
): Promise<Response> {
  const content = await wrapInLayouts(ctx, vnode, wrappers.layouts);
  if (content instanceof Response) return content;
  const page = { html: "" };
  const app = await wrapInApp(ctx, wrappers.app, page);
  if (app instanceof Response) return app;

  const scope = new RenderScope(buildCache.islands, ctx.url);
  const assets = {
    basePath: ctx.config.basePath,
    clientEntry: buildCache.clientEntry,
  };
  const html = runRender(scope, () => {
    page.html = renderToString(content ?? h(Fragment, null));
    const shell = app === null ? page.html : renderToString(app);
    return completeDocument(shell, scope, assets);
  });
  const headers = pageHeaders(init.headers, preloadHeader(scope, assets));
  return withNonce(new Response(html, { ...init, headers }), scope.nonce);
}

async function wrapInLayouts<State>(
  ctx: Context<State>,
  page: JSX.Element | null,
  layouts: readonly RouteComponent<State>[],
): Promise<JSX.Element | Response | null> {
  let content = page;
  for (const layout of layouts.toReversed()) {
    const inner = content;
    ctx.Component = () => inner;
    const wrapped = await callComponent(layout, pageProps(ctx, null, ctx.Component));
    if (wrapped instanceof Response) return wrapped;
    content = wrapped;
  }
  return content;
}

/** The page is rendered before its wrapper, so that the wrapper's head can hold what the page put there. */
async function wrapInApp<State>(
  ctx: Context<State>,
  app: RouteComponent<State> | null,
  page: { html: string },
): Promise<JSX.Element | Response | null> {
  if (app === null) return null;
  ctx.Component = () => jsxTemplate([page.html]);
  return await callComponent(app, pageProps(ctx, null, ctx.Component));
}

function completeDocument(
  shell: string,
  scope: RenderScope,
  assets: { basePath: string; clientEntry: string },
): string {
  const slots = unrenderedSlots(scope);
  const scripts = slots + islandScript(scope, assets);
  const { documentParts } = scope;
  let html = documentParts.has("body") ? appendToBody(shell, scripts) : `<body>${shell}${scripts}</body>`;
  if (!documentParts.has("head")) {
    const rest = renderToString(h(Fragment, null, scope.takeHead()));
    html = insertHead(html, `<head><meta charset="utf-8"/>${rest}</head>`);
  }
  if (!documentParts.has("html")) html = `<html>${html}</html>`;
  return `<!DOCTYPE html>${html}`;
}

function appendToBody(html: string, scripts: string): string {
  const end = html.lastIndexOf("</body>");
  return html.slice(0, end) + scripts + html.slice(end);
}

function insertHead(html: string, head: string): string {
  const start = /^<html[^>]*>/.exec(html)?.[0].length ?? 0;
  return html.slice(0, start) + head + html.slice(start);
}

function pageHeaders(given: HeadersInit | undefined, preload: string): Headers {
  const headers = new Headers(given);
  headers.set("Content-Type", "text/html; charset=utf-8");
  if (preload !== "") headers.append("Link", preload);
  return headers;
}

const NONCE = Symbol.for("__freshNonce");

/** Notes on a page's response the nonce of its inline scripts and styles. */
function withNonce(response: Response, nonce: string): Response {
  return Object.assign(response, { [NONCE]: nonce });
}

/** Returns the nonce of a page's response; null for any other, also for one made from the parts of a page's. */
export function readNonce(response: Response): string | null {
  const nonce: unknown = Reflect.get(response, NONCE);
  return typeof nonce === "string" && nonce !== "" ? nonce : null;
}

/** URLs of a build's scripts. */
interface ScriptLocations {
  basePath: string;
  clientEntry: string;
}

/** The inline script that starts the page's islands; nothing for a page without any. */
function islandScript(scope: RenderScope, { basePath, clientEntry }: ScriptLocations): string {
  if (scope.islands.size === 0) return "";
  const islands = [...scope.islands];
  const imports = islands.map((island, index) => importStatement(island, `i${index}`, basePath)).join("");
  const components = islands.map(({ name }, index) => `${JSON.stringify(name)}:i${index}`).join(",");
  const props = JSON.stringify(serialize(scope.islandProps)).replaceAll("<", "\\u003c");
  return `<script type="module" nonce="${scope.nonce}">` +
    `import{boot}from${quoted(basePath + clientEntry)};${imports}boot({${components}},${props})</script>`;
}

function importStatement({ file, exportName }: Island, binding: string, basePath: string): string {
  const imported = exportName === "default" ? binding : `{${exportName} as ${binding}}`;
  return `import ${imported} from${quoted(basePath + file)};`;
}

function quoted(url: string): string {
  return JSON.stringify(encodeURI(url));
}

/** Templates with the HTML of slots that their islands hold back at first. */
function unrenderedSlots(scope: RenderScope): string {
  let html = "";
  for (let id = scope.unrenderedSlot(); id !== -1; id = scope.unrenderedSlot()) {
    const content = renderToString(h(Fragment, null, scope.takeSlot(id)));
    html += `<template id="frsh-slot-${id}">${content}</template>`;
  }
  return html;
}

/** The Link header that has the browser load the scripts early; empty for a page without islands. */
function preloadHeader(scope: RenderScope, { basePath, clientEntry }: ScriptLocations): string {
  if (scope.islands.size === 0) return "";
  const files = new Set([clientEntry, ...Array.from(scope.islands, (island) => island.file)]);
  return Array.from(files, (file) => `<${encodeURI(basePath + file)}>; rel="modulepreload"; as="script"`)
    .join(", ");
}
