import assert from "node:assert/strict";
import type { TestApp } from "./app.ts";

/** Paths of the style sheets and scripts that a page starts with, and of those for dragging. */
export interface PageAssets {
  readonly styles: readonly string[];
  readonly scripts: readonly string[];
}

/** Requests a path without a coding, and returns the text. */
async function readText(app: TestApp, path: string): Promise<string> {
  const response = await app.request(path);
  assert.equal(response.status, 200, path);
  return await response.text();
}

/**
 * Returns the assets that a page's markup names, with the scripts that these import. Of the scripts that are imported
 * on demand, those for dragging are among them.
 */
export async function listPageAssets(app: TestApp, html: string): Promise<PageAssets> {
  const tags = [...html.matchAll(/<(?:link|script)\b[^>]*>/g)].map(([tag]) => tag);
  const styles = tags.filter((tag) => /rel="stylesheet"/.test(tag)).map((tag) => attributeOf(tag, "href"));
  const linked = tags.filter((tag) => /^<script\b.* src=/.test(tag)).map((tag) => attributeOf(tag, "src"));
  const inline = [...html.matchAll(/<script\b[^>]*>(.+?)<\/script>/gs)].map(([, code = ""]) => code);
  const scripts = new Set<string>();
  const add = async (path: string): Promise<void> => {
    if (scripts.has(path)) return;
    scripts.add(path);
    for (const imported of importsOf(await readText(app, path), path)) await add(imported);
  };
  for (const path of [...linked, ...inline.flatMap((code) => importsOf(code, "/"))]) await add(path);
  return { styles, scripts: [...scripts] };
}

/** Returns the bytes of some assets as they are sent to a client that accepts these codings. */
export async function sumWireBytes(
  app: TestApp,
  paths: readonly string[],
  accepted: string,
): Promise<number> {
  let sum = 0;
  for (const path of paths) {
    const response = await app.request(path, { headers: { "accept-encoding": accepted } });
    assert.equal(response.status, 200, path);
    sum += (await response.bytes()).length;
  }
  return sum;
}

function attributeOf(tag: string, name: string): string {
  const value = new RegExp(` ${name}="([^"]+)"`).exec(tag)?.[1];
  assert.ok(value, tag);
  return value.replaceAll("&amp;", "&");
}

/** Returns the paths of the scripts that a bundled script imports when it starts, and for dragging. */
function importsOf(code: string, path: string): string[] {
  const found = code.matchAll(/\b(?:from ?|import ?|import\((?="\.\/drag))"((?:\.{1,2})?\/[^"]+\.js)"/g);
  return [...found].map(([, specifier = ""]) => new URL(specifier, `http://localhost${path}`).pathname);
}
