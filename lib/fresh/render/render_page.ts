import "./preact_hooks.ts";
import { Fragment, h, type JSX } from "preact";
import { jsxTemplate } from "preact/jsx-runtime";
import { renderToString } from "preact-render-to-string";
import type { BuildAssets } from "../build/build_assets.ts";
import type { Context } from "../context.ts";
import { runRender } from "../runtime/current_render.ts";
import { callComponent, pageProps, type RouteComponent } from "./components.ts";
import { islandScript, preloadHeader, unrenderedSlots } from "./island_script.ts";
import { withNonce } from "./nonce.ts";
import { RenderScope } from "./render_scope.ts";
import type { Wrappers } from "./wrappers.ts";

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
