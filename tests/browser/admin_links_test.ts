import assert from "node:assert/strict";
import { scriptLimit } from "@/tests/helpers/fresh_package.ts";
import { type AdminCast, adminTest } from "./admin_cast.ts";
import { scriptSize, waitForState } from "./helpers.ts";
import { whenLive, whenShown } from "./live.ts";
import { assertRendersWell } from "./rendering.ts";

const KEY = "a-shorten-key";
/** Maximum compressed size of the page's script, in bytes. */
const SCRIPT_LIMIT = scriptLimit(20_000);
const LONG = `https://example.com/${"a-very-long-path/".repeat(20)}the-end?q=1`;

async function create({ site }: AdminCast, body: Readonly<Record<string, unknown>>): Promise<string> {
  const response = await fetch(`${site.baseUrl}/links`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${KEY}` },
    body: JSON.stringify(body),
  });
  const { short, message } = await response.json();
  assert.equal(response.status, 201, message);
  return `/${encodeURIComponent(short)}`;
}

async function statusOf({ site }: AdminCast, path: string): Promise<number> {
  const response = await fetch(`${site.baseUrl}${path}?visit=false`);
  await response.body?.cancel();
  return response.status;
}

const linksTest = (name: string, test: (cast: AdminCast) => Promise<void>) =>
  adminTest(name, test, { SHORTEN_API_KEY: KEY });

linksTest("the number of links found follows the search while it is typed", async (cast) => {
  for (const name of ["beans", "roses"]) await create(cast, { url: `https://example.com/${name}` });
  const { page, complaints } = await cast.visitAs("admin", "/admin/links?q=example");
  await whenShown(page, "2 links found");
  const field = page.getByRole("searchbox", { name: "Search" });
  await field.fill("example roses");
  await page.getByText("1 link found").waitFor();
  await field.fill("nowhere");
  await page.getByText("0 links found").waitFor();
  await field.fill("");
  await page.getByRole("rowheader", { name: "beans" }).waitFor();
  assert.equal(await page.getByText(/links? found/).count(), 0);
  assert.deepEqual(complaints, []);
});

linksTest("links are found, selected and disabled together, with and without JavaScript", async (cast) => {
  const paths: string[] = [];
  for (const name of ["beans", "peas", "roses"]) {
    paths.push(await create(cast, { url: `https://example.com/${name}` }));
  }
  for (const javaScriptEnabled of [true, false]) {
    const { page, complaints } = await cast.visitAs("admin", "/admin/links", { javaScriptEnabled });
    await page.getByRole("searchbox", { name: "Search" }).fill("example");
    await page.keyboard.press("Enter");
    await page.getByText("3 links found").waitFor();
    if (javaScriptEnabled) {
      await whenLive(page);
      await page.getByRole("checkbox", { name: "Select all on this page" }).check();
      await page.getByText("3 selected").waitFor();
      await page.getByRole("checkbox", { name: "Select example.com/roses" }).uncheck();
      await page.getByText("2 selected").waitFor();
    } else {
      assert.equal(await page.getByRole("checkbox", { name: "Select all on this page" }).isVisible(), false);
      const field = page.getByRole("textbox", { name: "Short link to copy: example.com/beans" });
      assert.equal(await field.inputValue(), `${cast.site.baseUrl}${decodeURIComponent(paths[0] ?? "")}`);
      for (const name of ["beans", "peas"]) {
        await page.getByRole("checkbox", { name: `Select example.com/${name}` }).check();
      }
    }
    const change = javaScriptEnabled ? "Disable" : "Enable";
    await page.getByRole("button", { name: change, exact: true }).click();
    await page.getByText("2 links changed.").waitFor();
    const closed = javaScriptEnabled ? 410 : 200;
    assert.deepEqual(await Promise.all(paths.map((path) => statusOf(cast, path))), [closed, closed, 200]);
    assert.deepEqual(complaints, []);
  }
});

linksTest("a row copies its link and shows its QR code, and selected links are deleted", async (cast) => {
  const path = await create(cast, { url: "https://example.com/beans" });
  await create(cast, { url: "https://example.com/peas" });
  const options = { permissions: ["clipboard-read", "clipboard-write"] };
  const { page, complaints } = await cast.visitAs("admin", "/admin/links", options);
  await whenLive(page);
  await page.getByRole("button", { name: "Copy: example.com/beans" }).click();
  await page.getByText("Short link copied.").waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.equal(copied, `${cast.site.baseUrl}${decodeURIComponent(path)}`);
  await page.getByRole("button", { name: "QR code: example.com/beans" }).click();
  const code = page.getByRole("img", { name: "QR code of the short link" });
  await waitForState(() => code.evaluate((image: HTMLImageElement) => image.naturalWidth > 0), true);
  await page.keyboard.press("Escape");
  await code.waitFor({ state: "hidden" });
  await page.getByRole("checkbox", { name: "Select all on this page" }).check();
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByRole("heading", { name: "Delete 2 links?" }).waitFor();
  await page.getByRole("button", { name: "Delete 2 links" }).click();
  await page.getByText("2 links deleted.").waitFor();
  assert.equal(await statusOf(cast, path), 410);
  assert.deepEqual(complaints, []);
});

linksTest("a link is described, limited, disabled and deleted on its page", async (cast) => {
  const path = await create(cast, { url: "https://example.com/tomatoes" });
  const options = { permissions: ["clipboard-read", "clipboard-write"], acceptDownloads: true };
  const { page, complaints } = await cast.visitAs("admin", "/admin/links", options);
  await page.getByRole("link", { name: "example.com/tomatoes", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "example.com/tomatoes" }).waitFor();
  await whenLive(page);
  await page.getByRole("button", { name: "Copy short link" }).click();
  await page.getByText("Copied.").waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.equal(copied, `${cast.site.baseUrl}${decodeURIComponent(path)}`);
  for (const format of ["SVG", "PNG"]) {
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: `Download ${format}` }).click();
    assert.equal((await download).suggestedFilename(), `short-link.${format.toLowerCase()}`);
  }
  await page.getByLabel("Destination").fill("https://example.com/tomato-care");
  await page.getByLabel("Title").fill("Tomato care");
  await page.getByLabel("Tags").fill("garden, Summer");
  await page.getByLabel("Maximum visits").fill("0");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("must be a whole number from 1").waitFor();
  await page.getByLabel("Maximum visits").fill("3");
  await page.getByRole("button", { name: "Save" }).click();
  await whenShown(page, "Changes saved.");
  await page.getByRole("heading", { level: 1, name: "Tomato care" }).waitFor();
  await page.getByRole("table", { name: "Earlier destinations" }).getByText("https://example.com/tomatoes")
    .waitFor();
  await page.getByRole("button", { name: "Disable" }).click();
  await page.getByText("This link is disabled. It leads nowhere until you enable it.").waitFor();
  await waitForState(() => statusOf(cast, path), 410);
  await page.getByRole("link", { name: "Delete" }).click();
  await page.getByRole("radio", { name: "Delete the visits" }).check();
  await page.getByRole("button", { name: "Delete link" }).click();
  await page.getByText("Link deleted.").waitFor();
  await page.getByText("There are no short links yet.").waitFor();
  assert.deepEqual(complaints, []);
});

linksTest(
  "the pages of links are accessible, fit small screens and large text, and stay small",
  async (cast) => {
    const path = await create(cast, {
      url: LONG,
      title: "A title that is as long as titles may be, with aVeryLongWordThatCannotBeBrokenAnywhereAtAll",
      tags: ["one", "a tag with blanks", "x".repeat(40)],
      note: "A note",
      maxVisits: 3,
      expiresAt: "2099-12-31T23:00:00Z",
    });
    await create(cast, { url: "mailto:ada@example.com", isDisabled: true });
    assert.equal(await statusOf(cast, path), 200);
    const pages = ["/admin/links", "/admin/links?q=nowhere", "/admin/links/hosts", `/admin/links${path}`];
    const { page, complaints } = await cast.visitAs("owner", "/admin/links", { bypassCSP: true });
    for (const address of [...pages, `/admin/links${path}/delete`]) {
      await page.goto(address);
      for (const summary of await page.locator("main summary").all()) await summary.click();
      const size = await scriptSize(page);
      assert.ok(size < SCRIPT_LIMIT, `${size} bytes of script at ${address}`);
      await assertRendersWell(page, address);
      assert.deepEqual(complaints, [], address);
    }
  },
);
