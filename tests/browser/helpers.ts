import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import axe from "axe-core";
import { freePort, TestServer } from "@/tests/helpers/server.ts";

const CHROMIUM = Deno.env.get("CHROMIUM") ?? "/usr/bin/chromium";
const CHROMIUM_ARGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
const STEP_MS = 10_000;
const AXE_TAGS = ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"];

/** Both schemes that pages are drawn in. */
export const COLOR_SCHEMES: readonly ("light" | "dark")[] = ["light", "dark"];

/** The built server as a process of its own, and a browser to visit it with. */
export interface Site {
  readonly baseUrl: string;
  readonly browser: Browser;
  /** What the server wrote to standard output so far. */
  readonly printed: () => string;
}

/** A page and everything it did that no page should. */
export interface Visit {
  readonly page: Page;
  /** Console errors, thrown errors, and requests to other hosts. */
  readonly complaints: string[];
}

/**
 * A test with the built server and a browser. Without a browser it passes with one line of notice, but not where CI is
 * set, as nothing would ever be tested then.
 */
export function browserTest(
  name: string,
  test: (site: Site) => Promise<void>,
  environment: Record<string, string> = {},
): void {
  Deno.test({ name, sanitizeOps: false, sanitizeResources: false }, async () => {
    if (!await hasChromium()) return;
    const { server, baseUrl } = await startServer(environment);
    await using _ended = server;
    const browser = await chromium.launch({ executablePath: CHROMIUM, args: CHROMIUM_ARGS });
    try {
      await test({ baseUrl, browser, printed: () => server.output });
    } finally {
      await browser.close();
    }
  });
}

/** Opens a path in a browser of its own, and notes what the page does wrong. */
export async function visit(site: Site, path: string, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await site.browser.newContext({ baseURL: site.baseUrl, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(STEP_MS);
  const complaints: string[] = [];
  page.on("console", (message) => {
    // Chromium reports every refused request; refusals are part of what is tested.
    const isRefusal = /Failed to load resource.*status of 4\d\d/.test(message.text());
    if (message.type() === "error" && !isRefusal) complaints.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => complaints.push(`thrown: ${error.message}`));
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(site.baseUrl) && !url.startsWith("data:")) complaints.push(`other host: ${url}`);
  });
  await page.goto(path);
  await page.waitForLoadState("load");
  return { page, complaints };
}

/** Fails with a line for each rule of WCAG 2.2 AA that the page as it is breaks; the page needs `bypassCSP`. */
export async function assertAccessible(page: Page, exclude: string[] = []): Promise<void> {
  const isThere = await page.evaluate(() => Reflect.has(globalThis, "axe"));
  if (!isThere) await page.addScriptTag({ content: axe.source });
  const lines = await page.evaluate(async ({ tags, exclude }) => {
    const engine: unknown = Reflect.get(globalThis, "axe");
    if (typeof engine !== "object" || engine === null) return ["axe was not loaded"];
    const context = { include: ["html"], exclude };
    const run: unknown = Reflect.get(engine, "run");
    if (typeof run !== "function") return ["axe has no run()"];
    const { violations } = await run(context, { runOnly: { type: "tag", values: tags } });
    return violations.map((violation: { id: string; nodes: { html: string; failureSummary: string }[] }) =>
      `${violation.id}: ${violation.nodes.map((node) => `${node.html} ${node.failureSummary}`).join(" | ")}`
    );
  }, { tags: AXE_TAGS, exclude });
  assert.deepEqual(lines, []);
}

/** Fails unless what is read comes to be as expected, within the time of a step. */
export async function becomes<T>(read: () => Promise<T>, expected: T): Promise<void> {
  // A page that is left while it is read has not said anything yet.
  const look = () => read().catch((error: unknown) => error);
  const deadline = Date.now() + STEP_MS;
  let found = await look();
  while (!isDeepStrictEqual(found, expected) && Date.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    found = await look();
  }
  assert.deepEqual(found, expected);
}

/** How far the page can be scrolled to the side, in pixels. */
export function sidewaysScroll(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/** Bytes of a text as they travel compressed. */
export async function gzipSize(bytes: Uint8Array<ArrayBuffer>): Promise<number> {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream("gzip"));
  return (await new Response(stream).arrayBuffer()).byteLength;
}

async function hasChromium(): Promise<boolean> {
  if (await Deno.stat(CHROMIUM).then(() => true, () => false)) return true;
  assert.notEqual(Deno.env.get("CI"), "true", `There is no browser at ${CHROMIUM}; set CHROMIUM.`);
  // deno-lint-ignore no-console
  console.log(`Not tested: there is no browser at ${CHROMIUM}; set CHROMIUM.`);
  return false;
}

async function startServer(
  environment: Record<string, string>,
): Promise<{ server: TestServer; baseUrl: string }> {
  const port = freePort();
  const baseUrl = `http://localhost:${port}`;
  const server = await TestServer.start({ port, env: { BASE_URL: baseUrl, ...environment } });
  return { server, baseUrl };
}
