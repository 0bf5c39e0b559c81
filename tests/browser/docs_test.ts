import assert from "node:assert/strict";
import { assertAccessible, browserTest, COLOR_SCHEMES, sidewaysScroll, visit } from "./helpers.ts";

browserTest("the documentation lists the paths and tries them, under the strict policy", async (site) => {
  const { page, complaints } = await visit(site, "/docs");
  await page.locator(".opblock").first().waitFor();
  const paths = await page.locator(".opblock-summary-path").allTextContents();
  assert.ok(paths.includes("/{short}") && paths.includes("/stats"), paths.join(" "));
  await page.getByRole("button", { name: /^GET ?\/stats(?!\/)/ }).first().click();
  await page.getByRole("button", { name: "Try it out" }).click();
  await page.getByRole("button", { name: "Execute" }).click();
  await page.locator(".live-responses-table").getByText('"urls"').waitFor();
  assert.deepEqual(complaints, []);
});

browserTest("the documentation shows how to get on without JavaScript", async (site) => {
  const { page } = await visit(site, "/docs", { javaScriptEnabled: false });
  const links = page.getByRole("main").getByRole("link");
  assert.equal(await links.last().getAttribute("href"), "/openapi.json");
});

for (const colorScheme of COLOR_SCHEMES) {
  browserTest(`the documentation is accessible in its ${colorScheme} scheme`, async (site) => {
    const { page } = await visit(site, "/docs", { colorScheme, bypassCSP: true });
    await page.locator(".opblock").first().waitFor();
    await assertAccessible(page);
    await page.getByRole("button", { name: /^POST/ }).first().click();
    await page.getByRole("button", { name: "Try it out" }).waitFor();
    await assertAccessible(page);
  });
}

browserTest("an operation of the documentation has an address of its own", async (site) => {
  const { page } = await visit(site, "/docs");
  await page.getByRole("button", { name: /^POST/ }).first().click();
  await page.waitForURL(/#\//);
  await page.reload();
  await page.getByRole("button", { name: "Try it out" }).waitFor();
});

browserTest("the documentation does not scroll sideways on a narrow screen", async (site) => {
  const { page } = await visit(site, "/docs", { viewport: { width: 320, height: 640 } });
  await page.locator(".opblock").first().waitFor();
  assert.equal(await sidewaysScroll(page), 0);
});

browserTest("the documentation takes a key where one is needed", async (site) => {
  const { page, complaints } = await visit(site, "/docs");
  await page.getByRole("button", { name: "Authorize" }).click();
  const dialog = page.locator(".modal-ux");
  await dialog.getByRole("textbox").fill("right");
  await dialog.getByRole("button", { name: "Apply credentials" }).click();
  await dialog.getByText("Authorized").first().waitFor();
  assert.deepEqual(complaints, []);
});
