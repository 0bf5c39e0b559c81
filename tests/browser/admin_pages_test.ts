import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { adminTest } from "./admin_cast.ts";
import { adminPaths } from "./admin_walk.ts";
import { assertAccessible, gzipSize, sidewaysScroll } from "./helpers.ts";

const MAX_STYLE_BYTES = 15_000;
const MAX_SCRIPT_BYTES = 20_000;
/** Pages that bring more: a chart, and the engine that tries patterns. */
const MAX_SCRIPT_OF: readonly (readonly [place: string, bytes: number])[] = [
  ["/admin/stats", 40_000],
  ["/admin/linkifiers", 70_000],
];

/** Notes the scripts and styles that a page loads. */
function noteBundles(page: Page): Set<string> {
  const urls = new Set<string>();
  page.on("request", (request) => {
    if (/^(script|stylesheet)$/.test(request.resourceType())) urls.add(request.url());
  });
  return urls;
}

async function assertSmall(path: string, urls: ReadonlySet<string>): Promise<void> {
  const sizes = { script: 0, style: 0 };
  for (const url of urls) {
    const kind = new URL(url).pathname.endsWith(".css") ? "style" : "script";
    sizes[kind] += await gzipSize(await (await fetch(url)).bytes());
  }
  const most = MAX_SCRIPT_OF.find(([place]) => path.startsWith(place))?.[1] ?? MAX_SCRIPT_BYTES;
  assert.ok(sizes.script > 0 && sizes.script <= most, `${path}: ${sizes.script} bytes of script`);
  assert.ok(sizes.style > 0 && sizes.style <= MAX_STYLE_BYTES, `${path}: ${sizes.style} bytes of style`);
}

adminTest("every admin page is accessible in both schemes, fits every screen, and is small", async (cast) => {
  const { page, complaints } = await cast.visitAs("owner", "/admin", { bypassCSP: true });
  const urls = noteBundles(page);
  const problems: string[] = [];
  const check = async (what: string, work: () => Promise<void>) => {
    await work().catch((error: Error) => problems.push(`${what}: ${error.message}`));
  };
  for (const path of await adminPaths(cast)) {
    urls.clear();
    complaints.length = 0;
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.emulateMedia({ colorScheme: "light" });
    const answer = await page.goto(path, { waitUntil: "load" });
    await check(path, async () => {
      assert.equal(answer?.status(), 200);
      assert.equal(await page.locator("h1").count(), 1, "There is one h1");
      assert.match(await page.title(), / · Gardeners · Sotto$/);
      await assertSmall(path, urls);
    });
    await check(path, () => assertAccessible(page));
    await check(`${path} with text of 200 %`, async () => {
      await page.evaluate(() => document.documentElement.style.fontSize = "200%");
      assert.equal(await sidewaysScroll(page), 0, "It scrolls sideways");
      await page.evaluate(() => document.documentElement.style.fontSize = "");
    });
    for (const width of [1920, 760, 320]) {
      await page.setViewportSize({ width, height: 800 });
      await check(
        `${path} at ${width} px`,
        async () => assert.equal(await sidewaysScroll(page), 0, "It scrolls sideways"),
      );
    }
    await page.emulateMedia({ colorScheme: "dark" });
    await check(`${path} at 320 px, dark`, () => assertAccessible(page));
    problems.push(...complaints.map((complaint) => `${path}: ${complaint}`));
  }
  assert.equal(problems.length, 0, `\n${problems.join("\n")}`);
});
