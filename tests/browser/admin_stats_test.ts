import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { waitFor } from "@/tests/helpers/wait.ts";
import { scriptLimit } from "@/tests/helpers/fresh_package.ts";
import { type AdminCast, adminTest } from "./admin_cast.ts";
import { assertAccessible, gzipSize, stopClock, waitForState } from "./helpers.ts";
import { whenLive } from "./live.ts";
import { assertFits, assertRendersWell } from "./rendering.ts";

/** Maximum compressed size of a statistics page's script, in bytes. */
const SCRIPT_LIMIT = scriptLimit(40_000);
const LONG = `https://example.com/${"a-very-long-path/".repeat(20)}the-end?q=1`;

async function shortenAndVisit(cast: AdminCast, url: string, visits: number): Promise<string> {
  const response = await fetch(cast.site.baseUrl, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ url }),
  });
  const path = `/${encodeURIComponent((await response.json()).short)}`;
  for (let visit = 0; visit < visits; visit++) await visitLink(cast, path);
  return path;
}

async function visitLink({ site }: AdminCast, path: string): Promise<void> {
  const response = await fetch(site.baseUrl + path);
  await response.body?.cancel();
  assert.equal(response.status, 200);
}

/** Returns a link's highest number of visits on one day (UTC): midnight may pass while a test runs. */
async function mostVisits({ site }: AdminCast, path: string): Promise<number> {
  const { visits }: { visits: string[] } = await (await fetch(`${site.baseUrl}${path}/stats`)).json();
  const days = Object.groupBy(visits, (time) => time.slice(0, "2000-01-01".length));
  return Math.max(...Object.values(days).map((times) => times?.length ?? 0));
}

/** Reloads a page until it shows figures that are counted in the background. */
async function reloadUntil(page: Page, condition: string, isShown: () => Promise<boolean>): Promise<void> {
  await waitFor(condition, async () => {
    if (await isShown()) return true;
    await page.reload();
    return false;
  });
}

function figure(page: Page, name: string): Promise<string | null> {
  return page.locator(`[data-figure=${name}]`).textContent();
}

/** Counts in the page its open streams of figures. */
function countFigureLines(): void {
  const open = new Set<EventSource>();
  Reflect.set(globalThis, "figureLines", open);
  globalThis.EventSource = class extends EventSource {
    constructor(url: string | URL) {
      super(url);
      if (String(url).includes("/stats/live")) open.add(this);
    }

    override close(): void {
      open.delete(this);
      super.close();
    }
  };
}

function countLines(page: Page): Promise<number> {
  return page.evaluate(() => Number(Reflect.get(Reflect.get(globalThis, "figureLines"), "size")));
}

adminTest("live figures follow visits, stop when paused, and continue when resumed", async (cast) => {
  const path = await shortenAndVisit(cast, "https://example.com/", 2);
  const { page, complaints } = await cast.visitAs("owner", "/admin/stats", { initScript: countFigureLines });
  const { page: other } = await cast.visitAs("admin", "/admin/stats");
  const visits = (of: Page, count: number) => of.locator("[data-figure=visits]", { hasText: String(count) });
  const lines = () => countLines(page);
  assert.deepEqual([await figure(page, "urls"), await figure(page, "visits")], ["1", "2"]);
  await waitForState(lines, 1);
  await visitLink(cast, path);
  await visits(page, 3).waitFor();
  await page.getByRole("button", { name: "Pause" }).click();
  await page.getByText("Paused").waitFor();
  await waitForState(lines, 0);
  await visitLink(cast, path);
  await visits(other, 4).waitFor();
  assert.equal(await figure(page, "visits"), "3");
  await page.getByRole("button", { name: "Resume" }).click();
  await visits(page, 4).waitFor();
  assert.equal(await page.locator("[aria-live] [data-figure], [role=status] [data-figure]").count(), 0);
  assert.deepEqual(complaints, []);
});

adminTest("figures that arrive right after Pause do not change the page", async (cast) => {
  const { page, complaints } = await cast.visitAs("owner", "/admin/stats", { initScript: countFigureLines });
  assert.equal(await figure(page, "visits"), "0");
  await waitForState(() => countLines(page), 1);
  const pause = page.getByRole("button", { name: "Pause" });
  await pause.evaluate((button: HTMLElement) => {
    const [stream]: Set<EventSource> = Reflect.get(globalThis, "figureLines");
    button.click();
    stream?.dispatchEvent(new MessageEvent("message", { data: '{"urls":7,"visits":8,"today":9}' }));
  });
  await page.getByText("Paused").waitFor();
  await waitForState(() => countLines(page), 0);
  assert.equal(await figure(page, "visits"), "0");
  assert.deepEqual(complaints, []);
});

adminTest("a user finds a URL, opens its page, copies its link, and downloads its QR code", async (cast) => {
  const path = await shortenAndVisit(cast, "https://example.com/tomatoes", 3);
  await shortenAndVisit(cast, "https://example.com/pumpkins", 5);
  const options = { permissions: ["clipboard-read", "clipboard-write"], acceptDownloads: true };
  const { page, complaints } = await cast.visitAs("admin", "/admin/links?order=visits", options);
  const rows = page.getByRole("table", { name: "Short links" }).locator("tbody tr");
  const isFirst = async () => /pumpkins.*5/.test(await rows.nth(0).textContent() ?? "");
  await reloadUntil(page, "the most visited URL is the first row", isFirst);
  await page.getByRole("link", { name: "example.com/tomatoes", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "example.com/tomatoes" }).waitFor();
  await whenLive(page);
  await stopClock(page);
  await page.getByRole("button", { name: "Copy short link" }).click();
  await page.getByText("Copied.").waitFor();
  await page.clock.resume();
  assert.equal(
    await page.evaluate(() => navigator.clipboard.readText()),
    cast.site.baseUrl + decodeURIComponent(path),
  );
  await page.getByRole("link", { name: "7 days" }).click();
  await page.waitForURL(/days=7/);
  const most = await mostVisits(cast, path);
  const image = page.getByRole("img", { name: `Visits by day Highest: ${most} visit` });
  await reloadUntil(page, `the chart shows the most visits of a day, ${most}`, () => image.isVisible());
  await page.getByText("View as table").click();
  assert.equal(await page.locator("#chart tbody tr").count(), 7);
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download SVG" }).click();
  assert.equal((await download).suggestedFilename(), "short-link.svg");
  assert.deepEqual(complaints, []);
});

adminTest("a URL is shortened and opened with the keyboard alone, and without JavaScript", async (cast) => {
  for (const javaScriptEnabled of [true, false]) {
    const { page, complaints } = await cast.visitAs("owner", "/admin/links", { javaScriptEnabled });
    await page.getByRole("textbox", { name: "Long URL" }).focus();
    await page.keyboard.type("example.com");
    await page.keyboard.press("Enter");
    await page.getByText("The URL must be absolute").waitFor();
    const field = page.getByRole("textbox", { name: "Long URL" });
    assert.equal(await field.inputValue(), "example.com");
    await field.fill("https://example.com/by-keyboard");
    await field.press("Enter");
    await page.getByRole("heading", { level: 1, name: "example.com/by-keyboard" }).waitFor();
    await page.getByText("Short link created.").waitFor();
    assert.deepEqual(complaints, []);
  }
});

adminTest(
  "the statistics pages are accessible, fit small screens and large text, and stay small",
  async (cast) => {
    const path = await shortenAndVisit(cast, LONG, 4);
    await shortenAndVisit(cast, "mailto:ada@example.com", 0);
    const pages = ["/admin/stats", "/admin/stats?days=all", `/admin/links${path}`];
    const { page, complaints } = await cast.visitAs("owner", "/admin/stats", { bypassCSP: true });
    for (const address of pages) {
      await page.goto(address);
      await assertFits(page, address);
      await page.setViewportSize({ width: 1280, height: 900 });
      for (const summary of await page.locator("main summary").all()) await summary.click();
      await assertRendersWell(page, address);
      assert.deepEqual(complaints, [], address);
    }
  },
);

adminTest("the script of the statistics stays within its size limit", async (cast) => {
  const { page } = await cast.visitAs("owner", "/admin/stats", { viewport: { width: 1280, height: 900 } });
  const paths = await page.evaluate(() =>
    performance.getEntriesByType("resource").map(({ name }) => name).filter((name) => /\.js(\?|$)/.test(name))
  );
  assert.ok(paths.length > 0);
  let size = 0;
  for (const path of paths) size += await gzipSize(new Uint8Array(await (await fetch(path)).arrayBuffer()));
  assert.ok(size < SCRIPT_LIMIT, `${size} bytes of script`);
});

adminTest("the arrow keys and the pointer read out the points of the chart", async (cast) => {
  await shortenAndVisit(cast, "https://example.com/tomatoes", 2);
  const { page, complaints } = await cast.visitAs("admin", "/admin/stats?days=7", { bypassCSP: true });
  const slider = page.getByRole("slider");
  const readout = page.locator("[data-readout]");
  await slider.focus();
  await readout.getByText(/: 2 visits\. Previous period: 0 visits\.$/).waitFor();
  await page.keyboard.press("Home");
  await readout.getByText(/: 0 visits\. Previous period/).waitFor();
  assert.match(await slider.getAttribute("aria-valuetext") ?? "", /0 visits/);
  await assertAccessible(page);
  await page.getByRole("heading", { level: 1 }).click();
  await readout.waitFor({ state: "detached" });
  const box = await slider.boundingBox();
  assert.ok(box !== null);
  await page.mouse.move(box.x + box.width - 2, box.y + 20);
  await readout.getByText(/: 2 visits/).waitFor();
  assert.deepEqual(complaints, []);
});
