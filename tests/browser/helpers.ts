import assert from "node:assert/strict";
import { inspect, isDeepStrictEqual } from "node:util";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import axe from "axe-core";
import { chromiumPath, hasChromium, withoutChromium } from "@/tests/helpers/chromium.ts";
import { TestServer } from "@/tests/helpers/server.ts";
import { settled, waitFor } from "@/tests/helpers/wait.ts";
import { describePages } from "./failure.ts";
import { actWhenLive, whenLive, whenStill } from "./live.ts";

const CHROMIUM_ARGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
/** Milliseconds after which a browser step counts as hanging: a guard, not a measurement. */
export const STEP_MS = 60_000;
/** Milliseconds after which a test counts as hanging, as Playwright evaluates scripts without a limit. */
const TEST_MS = 600_000;
/** Characters of the server's log that a failure shows. */
const LOG_CHARACTERS = 5000;
/** Nothing slides, so that elements are where they will stay. */
const DEFAULTS = { locale: "en-US", timezoneId: "UTC", reducedMotion: "reduce" } as const;
const AXE_TAGS = ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"];
/** The rules among these that a color scheme decides. */
const COLOR_RULES = ["color-contrast", "link-in-text-block"];

/** The color schemes of the pages. */
export const COLOR_SCHEMES: readonly ("light" | "dark")[] = ["light", "dark"];

/** The built server in its own process, and a browser. */
export interface Site {
  readonly baseUrl: string;
  readonly browser: Browser;
  /** Returns the server's standard output so far. */
  readonly printed: () => string;
}

/** A page and its problems. */
export interface Visit {
  readonly page: Page;
  /** Console errors, thrown errors, and requests to other hosts. */
  readonly complaints: string[];
}

/** Playwright's options, and a function to run in the page before its own scripts. */
export interface VisitOptions extends BrowserContextOptions {
  readonly initScript?: () => void;
}

let launched: Promise<Browser> | undefined;
let sharedServer: Promise<TestServer> | undefined;
Deno.test.afterAll(async () => {
  await (await launched)?.close();
  await (await sharedServer)?.[Symbol.asyncDispose]();
});

/**
 * Defines a test with the browser that the tests of a process share; opened contexts are closed after it.
 * Without a browser the test passes, but fails where CI is set; the writer of the groups says what is missing.
 */
export function chromiumTest(name: string, test: (browser: Browser) => Promise<void>): void {
  Deno.test({ name, sanitizeOps: false, sanitizeResources: false }, async () => {
    if (!hasChromium()) return assert.notEqual(Deno.env.get("CI"), "true", withoutChromium());
    const browser = await launchChromium();
    try {
      await settled("the test ends", test(browser), { giveUpMs: TEST_MS });
    } catch (cause) {
      throw new Error(`The pages when the test failed:\n${await describePages(browser)}`, { cause });
    } finally {
      await Promise.all(browser.contexts().map((context) => context.close()));
    }
  });
}

/** Defines a test with a browser and its own server. */
export function browserTest(
  name: string,
  test: (site: Site) => Promise<void>,
  environment: Record<string, string> = {},
): void {
  chromiumTest(name, async (browser) => {
    await using server = await TestServer.start({ env: environment });
    await testServer(server, browser, test);
  });
}

/**
 * Defines a test with a browser and a server that such tests of a process share, so none depends on the state
 * left by others.
 */
export function sharedServerTest(name: string, test: (site: Site) => Promise<void>): void {
  chromiumTest(name, async (browser) => {
    sharedServer ??= TestServer.start();
    await testServer(await sharedServer, browser, test);
  });
}

/**
 * Opens a path in its own browser context, in English, in UTC and with reduced motion by default, and collects the
 * page's problems.
 */
export async function visit(site: Site, path: string, options: VisitOptions = {}): Promise<Visit> {
  const { initScript, ...rest } = options;
  const defaults = { baseURL: site.baseUrl, ...DEFAULTS };
  const context = await site.browser.newContext({ ...defaults, ...rest });
  context.setDefaultTimeout(STEP_MS);
  if (initScript !== undefined) await context.addInitScript(initScript);
  const page = await context.newPage();
  if (rest.javaScriptEnabled !== false) await actWhenLive(page);
  const complaints: string[] = [];
  page.on("console", (message) => {
    // Chromium reports every refused request as an error; refusals are part of the tests.
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

/** Which rules a page is held against. */
export interface AccessibilityOptions {
  /** `"colors"` leaves out what another color scheme cannot change; all of WCAG 2.2 AA by default. */
  readonly rules?: "all" | "colors";
}

/** Fails with one line per violated rule of WCAG 2.2 AA; the page needs `bypassCSP`. */
export async function assertAccessible(
  page: Page,
  { rules = "all" }: AccessibilityOptions = {},
): Promise<void> {
  await whenLive(page);
  await whenStill(page);
  const isThere = await page.evaluate(() => Reflect.has(globalThis, "axe"));
  if (!isThere) await page.addScriptTag({ content: axe.source });
  const runOnly = rules === "all" ? { type: "tag", values: AXE_TAGS } : { type: "rule", values: COLOR_RULES };
  const lines = await page.evaluate(async (runOnly) => {
    const engine: unknown = Reflect.get(globalThis, "axe");
    if (typeof engine !== "object" || engine === null) return ["axe was not loaded"];
    const run: unknown = Reflect.get(engine, "run");
    if (typeof run !== "function") return ["axe has no run()"];
    const { violations } = await run({ include: ["html"] }, { runOnly, resultTypes: ["violations"] });
    return violations.map((violation: { id: string; nodes: { html: string; failureSummary: string }[] }) =>
      `${violation.id}: ${violation.nodes.map((node) => `${node.html} ${node.failureSummary}`).join(" | ")}`
    );
  }, runOnly);
  assert.deepEqual(lines, []);
}

/** Waits until a state of the page is as expected; reading a page during navigation counts as no state. */
export async function waitForState<T>(read: () => Promise<T>, expected: T): Promise<void> {
  const isMet = (found: T) => isDeepStrictEqual(found, expected);
  await waitFor(`${read} is ${inspect(expected, { depth: 6 })}`, read, { isMet });
}

/**
 * Stops the clock of a context's pages, so that no timer fires on its own: `page.clock.runFor` advances it.
 * Effects of islands wait for a frame, which is a timer too, so pages are loaded before.
 */
export async function stopClock(page: Page): Promise<void> {
  await page.clock.install({ time: "2030-01-01T00:00:00Z" });
  await page.clock.pauseAt("2030-01-02T00:00:00Z");
}

/** Returns the path of the one-time setup link that a new server prints. */
export async function setupPath({ printed }: Pick<Site, "printed">): Promise<string> {
  const read = () => /Set up: \S+(\/setup\?token=\w+)/.exec(printed())?.[1] ?? "";
  return await waitFor("the server prints the link to its set-up page", read, { explain: printed });
}

/** Chooses people in a field by the first match of each text. */
export async function choosePeople(page: Page, label: string, texts: readonly string[]): Promise<void> {
  const field = page.getByRole("combobox", { name: label, exact: true }).first();
  for (const text of texts) {
    await field.fill(text);
    await page.locator("[data-people] [role=option]").first().click();
  }
}

/** Returns how far the page can be scrolled sideways, in pixels. */
export function sidewaysScroll(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/** Returns the compressed bytes of the scripts that a page has loaded. */
export async function scriptSize(page: Page): Promise<number> {
  const urls = await page.evaluate(() =>
    performance.getEntriesByType("resource").map(({ name }) => name).filter((name) => /\.js(\?|$)/.test(name))
  );
  let size = 0;
  for (const url of urls) {
    const response = await fetch(url);
    size += await gzipSize(new Uint8Array(await response.arrayBuffer()));
  }
  return size;
}

/** Returns the compressed size of a text in bytes. */
export async function gzipSize(bytes: Uint8Array<ArrayBuffer>): Promise<number> {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream("gzip"));
  return (await new Response(stream).arrayBuffer()).byteLength;
}

async function launchChromium(): Promise<Browser> {
  const browser = await launched;
  if (browser?.isConnected()) return browser;
  launched = chromium.launch({ executablePath: chromiumPath(), args: CHROMIUM_ARGS, timeout: STEP_MS });
  return await launched;
}

/** Runs a test with a browser and a server, whose log a failure shows. */
export async function testServer(
  server: TestServer,
  browser: Browser,
  test: (site: Site) => Promise<void>,
): Promise<void> {
  try {
    await test({ baseUrl: server.baseUrl, browser, printed: () => server.output });
  } catch (cause) {
    const log = `${server.output}\nIts errors:\n${server.errors}`.slice(-LOG_CHARACTERS);
    throw new Error(`A page is not as it should be. The server's output:\n${log}`, { cause });
  }
}
