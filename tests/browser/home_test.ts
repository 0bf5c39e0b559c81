import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { toQrPath, toQrSvg } from "@/lib/ui/qr_path.ts";
import { scriptLimit } from "@/tests/helpers/fresh_package.ts";
import {
  browserTest,
  gzipSize,
  sharedServerTest,
  sidewaysScroll,
  type Site,
  stopClock,
  visit,
  waitForState,
} from "./helpers.ts";
import { assertRendersWell } from "./rendering.ts";

const LONG_URL = "https://example.com/a/long/path?with=a%20query&and=more#part";
const NO_SCRIPT = { javaScriptEnabled: false };
const MAX_SCRIPT_BYTES = scriptLimit(20_000);
const MAX_STYLE_BYTES = 12_000;

async function shorten(page: Page, url = LONG_URL): Promise<string> {
  await page.getByLabel("Long URL").fill(url);
  await page.getByRole("button", { name: "Shorten" }).click();
  await page.getByRole("heading", { name: "Your short link" }).waitFor();
  const link = await page.locator("a.select-all").textContent();
  assert.ok(link);
  return link;
}

async function readVisits(link: string): Promise<number> {
  const stats: { visits: string[] } = await (await fetch(`${link}/stats`)).json();
  return stats.visits.length;
}

async function assertLeadsTo({ browser }: Site, link: string, url: string): Promise<void> {
  assert.equal(await readVisits(link), 0);
  const response = await (await browser.newContext()).request.get(link, {
    maxRedirects: 0,
    headers: { accept: "text/html" },
  });
  assert.equal(response.status(), 302);
  assert.equal(response.headers()["location"], url);
  assert.equal(await readVisits(link), 1);
}

sharedServerTest(
  "the form shortens without a page load, and the link leads to the long URL",
  async (site) => {
    const { page, complaints } = await visit(site, "/");
    await page.evaluate(() => Reflect.set(globalThis, "isStillHere", true));
    const link = await shorten(page);
    assert.equal(await page.evaluate(() => Reflect.get(globalThis, "isStillHere")), true);
    await waitForState(() => page.getByLabel("Long URL").inputValue(), "");
    assert.match(link, new RegExp(`^${site.baseUrl}/(%[0-9A-F]{2})+$`));
    assert.equal(await page.getByText(LONG_URL, { exact: true }).getAttribute("href"), LONG_URL);
    await page.reload();
    assert.equal(await page.locator("a.select-all").textContent(), link);
    await assertLeadsTo(site, link, LONG_URL);
    assert.deepEqual(complaints, []);
  },
);

sharedServerTest("the form shortens without JavaScript", async (site) => {
  const { page } = await visit(site, "/", NO_SCRIPT);
  const link = await shorten(page);
  assert.match(page.url(), /\/\?short=/);
  assert.equal(await page.getByRole("img", { name: "QR code of the short link" }).count(), 1);
  assert.equal(await page.getByRole("button", { name: "Copy short link" }).isVisible(), false);
  await page.getByText("Show invisible characters").click();
  await waitForState(() => page.getByRole("listitem").count(), 7);
  await assertLeadsTo(site, link, LONG_URL);
});

for (const options of [{}, NO_SCRIPT]) {
  const how = options === NO_SCRIPT ? "without JavaScript" : "with JavaScript";
  sharedServerTest(`a refused URL stays in its field beside the problem, ${how}`, async (site) => {
    const { page } = await visit(site, "/", options);
    const field = page.getByLabel("Long URL");
    await field.fill("example.com/page");
    await page.getByRole("button", { name: "Shorten" }).click();
    await page.locator("#url[aria-invalid=true]").waitFor();
    const problem = page.getByRole("alert").filter({ hasText: "The URL must be absolute" });
    assert.equal(await problem.count(), 1);
    assert.equal(await field.inputValue(), "example.com/page");
    assert.equal(await field.getAttribute("aria-describedby"), await problem.getAttribute("id"));
    await page.locator("#url:focus").waitFor();
    await shorten(page);
    await waitForState(() => page.locator("#url[aria-invalid=true]").count(), 0);
  });
}

sharedServerTest("an unreachable server is reported, and the input is kept", async (site) => {
  const { page } = await visit(site, "/");
  await page.route("**/*", (route) => route.abort());
  await page.getByLabel("Long URL").fill(LONG_URL);
  await page.keyboard.press("Enter");
  await page.getByRole("alert").filter({ hasText: "The server cannot be reached." }).waitFor();
  assert.equal(await page.getByLabel("Long URL").inputValue(), LONG_URL);
});

sharedServerTest("the button shows progress only if the response takes long", async (site) => {
  const { page } = await visit(site, "/");
  const answer = Promise.withResolvers<void>();
  await page.route("**/*", async (route) => {
    await answer.promise;
    await route.continue();
  });
  await page.getByLabel("Long URL").fill(LONG_URL);
  await stopClock(page);
  const sent = page.waitForRequest((request) => request.method() === "POST");
  await page.keyboard.press("Enter");
  await sent;
  await page.clock.runFor(250);
  assert.equal(await page.locator("main form button").textContent(), "Shorten");
  await page.clock.runFor(650);
  await page.getByRole("button", { name: "Shortening…" }).waitFor();
  answer.resolve();
  await page.getByRole("heading", { name: "Your short link" }).waitFor();
  await page.getByRole("button", { name: "Shorten", exact: true }).waitFor();
});

sharedServerTest("the copy buttons copy the short link or its encoded form and announce it", async (site) => {
  const { page } = await visit(site, "/", { permissions: ["clipboard-read", "clipboard-write"] });
  const link = await shorten(page);
  const status = page.locator("section [role=status].text-good");
  await stopClock(page);
  await page.getByRole("button", { name: "Copy short link" }).click();
  await status.filter({ hasText: "Short link copied" }).waitFor();
  const plain = await page.evaluate(() => navigator.clipboard.readText());
  assert.equal(`${site.baseUrl}/${encodeURIComponent(plain.slice(site.baseUrl.length + 1))}`, link);
  assert.ok(plain.length < link.length / 2, `${plain.length} characters`);
  await page.getByRole("button", { name: "Copy encoded link" }).click();
  await status.filter({ hasText: "Encoded link copied" }).waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), link);
});

for (const options of [{}, NO_SCRIPT]) {
  const how = options === NO_SCRIPT ? "without JavaScript" : "with JavaScript";
  sharedServerTest(`what is shown of the short link is copied whole, ${how}`, async (site) => {
    const { page } = await visit(site, "/", {
      ...options,
      permissions: ["clipboard-read", "clipboard-write"],
    });
    const link = await shorten(page);
    const short = decodeURIComponent(new URL(link).pathname.slice(1));
    const plain = `${site.baseUrl}/${short}`;
    const field = page.getByLabel("Short link to copy");
    assert.equal(await field.inputValue(), plain);
    const paste = async () => {
      await page.keyboard.press("Control+c");
      return await page.evaluate(() => navigator.clipboard.readText());
    };
    await field.focus();
    await page.keyboard.press("Control+a");
    assert.equal(await paste(), plain);
    await page.locator("p.select-all").click();
    assert.equal(await paste(), plain);
  });

  sharedServerTest(`the QR code is downloaded, ${how}`, async (site) => {
    const { page } = await visit(site, "/", { ...options, acceptDownloads: true });
    const link = await shorten(page);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "Download QR code" }).click(),
    ]);
    assert.equal(download.suggestedFilename(), "short-link.svg");
    assert.equal(await Deno.readTextFile(await download.path()), toQrSvg(toQrPath(link)));
  });

  sharedServerTest(`a domain without a scheme is offered with https://, ${how}`, async (site) => {
    const { page } = await visit(site, "/", options);
    await page.getByLabel("Long URL").fill("example.com/page");
    await page.getByRole("button", { name: "Shorten" }).click();
    await page.getByRole("button", { name: "Use https://example.com/page" }).click();
    await page.getByRole("heading", { name: "Your short link" }).waitFor();
    assert.equal(await page.getByRole("link", { name: "https://example.com/page" }).count(), 1);
    assert.equal(await page.getByRole("button", { name: "Use https://" }).count(), 0);
  });
}

sharedServerTest("every invisible character is drawn and named", async (site) => {
  const { page } = await visit(site, "/");
  const link = await shorten(page);
  const short = decodeURIComponent(new URL(link).pathname.slice(1));
  await page.getByText("Show invisible characters").click();
  await page.getByRole("listitem").first().waitFor();
  const lines = await page.getByRole("listitem").allTextContents();
  assert.deepEqual(
    lines.map((line) => /U\+([0-9A-F]+)/.exec(line)?.[1]),
    Array.from(short, (character) => character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")),
  );
  assert.match(lines.join("\n"), /zero width|tag latin small letter|cancel tag/);
});

sharedServerTest("the keyboard alone shortens and copies", async (site) => {
  const { page } = await visit(site, "/", { permissions: ["clipboard-read", "clipboard-write"] });
  const press = async (key: string) => {
    await page.keyboard.press(key);
    return await page.evaluate(() =>
      document.activeElement?.textContent?.trim() || document.activeElement?.id
    );
  };
  assert.equal(await press("Tab"), "Skip to content");
  assert.equal(
    await page.getByText("Skip to content").evaluate((link) => link.getBoundingClientRect().width > 40),
    true,
  );
  await press("Enter");
  await page.waitForURL(/#\w+$/);
  assert.equal(await press("Tab"), "url");
  await page.keyboard.type(LONG_URL);
  await press("Enter");
  await page.getByRole("heading", { name: "Your short link" }).waitFor();
  assert.equal(await press("Tab"), "Shorten");
  assert.equal(await press("Tab"), "short-link");
  assert.equal(await press("Tab"), "Copy short link");
  await stopClock(page);
  await press("Enter");
  await page.getByText("Short link copied").waitFor();
  await waitForState(() => press("Tab"), "Show invisible characters");
  await press("Enter");
  await page.getByRole("listitem").first().waitFor();
});

browserTest("the form asks for an access key where shortening requires one", async (site) => {
  const { page } = await visit(site, "/");
  await page.getByLabel("Long URL").fill(LONG_URL);
  await page.keyboard.press("Enter");
  await page.getByRole("alert").filter({ hasText: "Enter the key of this server." }).waitFor();
  await page.getByLabel("Key").fill("wrong");
  await page.keyboard.press("Enter");
  await page.getByRole("alert").filter({ hasText: "The key is not valid." }).waitFor();
  await page.locator("#key[aria-invalid=true]:focus").waitFor();
  await page.getByLabel("Key").fill("right");
  await shorten(page);
  const plain = await visit(site, "/", NO_SCRIPT);
  await plain.page.getByLabel("Key").fill("right");
  await shorten(plain.page);
}, { SHORTEN_API_KEY: "right" });

sharedServerTest("the home page is accessible, with a result and with an error", async (site) => {
  const { page, complaints } = await visit(site, "/", { bypassCSP: true });
  await assertRendersWell(page, "the empty form");
  await shorten(page);
  await page.getByText("Show invisible characters").click();
  await assertRendersWell(page, "a result");
  await page.getByLabel("Long URL").fill("example.com");
  await page.getByLabel("Long URL").press("Enter");
  await page.getByRole("button", { name: "Use https://" }).waitFor();
  await assertRendersWell(page, "an error");
  assert.deepEqual(complaints, []);
});

sharedServerTest("nothing scrolls sideways on a narrow screen or with large text", async (site) => {
  const { page } = await visit(site, "/", { viewport: { width: 320, height: 640 } });
  assert.equal(await sidewaysScroll(page), 0);
  await shorten(page, `https://example.com/${"x".repeat(300)}`);
  await page.getByText("Show invisible characters").click();
  assert.equal(await sidewaysScroll(page), 0);
  await page.setViewportSize({ width: 640, height: 800 });
  await page.evaluate(() => document.documentElement.style.fontSize = "200%");
  assert.equal(await sidewaysScroll(page), 0);
});

sharedServerTest("the scripts and styles of the home page stay within their size limits", async (site) => {
  const { page } = await visit(site, "/");
  const urls = await page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name));
  const sizes = { script: 0, style: 0 };
  for (const url of urls) {
    const kind = /\.js(\?|$)/.test(url) ? "script" : /\.css(\?|$)/.test(url) ? "style" : null;
    if (kind !== null) sizes[kind] += await gzipSize(await (await fetch(url)).bytes());
  }
  assert.ok(sizes.script > 0 && sizes.script <= MAX_SCRIPT_BYTES, `${sizes.script} bytes of script`);
  assert.ok(sizes.style > 0 && sizes.style <= MAX_STYLE_BYTES, `${sizes.style} bytes of style`);
});
