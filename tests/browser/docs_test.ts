import assert from "node:assert/strict";
import { sharedServerTest, sidewaysScroll, visit } from "./helpers.ts";
import { assertAccessibleInBoth } from "./rendering.ts";

sharedServerTest(
  "the API documentation lists the paths and sends requests under the strict policy",
  async (site) => {
    const { page, complaints } = await visit(site, "/docs");
    await page.locator(".opblock").first().waitFor();
    const paths = await page.locator(".opblock-summary-path").allTextContents();
    assert.ok(paths.includes("/{short}") && paths.includes("/stats"), paths.join(" "));
    await page.getByRole("button", { name: /^GET ?\/stats(?!\/)/ }).first().click();
    await page.getByRole("button", { name: "Try it out" }).click();
    await page.getByRole("button", { name: "Execute" }).click();
    await page.locator(".live-responses-table").getByText('"urls"').waitFor();
    assert.deepEqual(complaints, []);
  },
);

sharedServerTest("the API documentation explains the alternatives without JavaScript", async (site) => {
  const { page } = await visit(site, "/docs", { javaScriptEnabled: false });
  const links = page.getByRole("main").getByRole("link");
  assert.equal(await links.last().getAttribute("href"), "/openapi.json");
});

sharedServerTest("the API documentation is accessible in both color schemes", async (site) => {
  const { page } = await visit(site, "/docs", { bypassCSP: true });
  await page.locator(".opblock").first().waitFor();
  await assertAccessibleInBoth(page);
  await page.getByRole("button", { name: /^POST/ }).first().click();
  await page.getByRole("button", { name: "Try it out" }).waitFor();
  await assertAccessibleInBoth(page);
});

sharedServerTest("a form of the chat API is accessible in both color schemes", async (site) => {
  const { page } = await visit(site, "/docs", { bypassCSP: true });
  await page.locator("#operations-tag-Events").click();
  const operation = page.locator('.opblock:has([data-path="/api/v1/register"])');
  await operation.getByRole("button", { name: /register/ }).first().click();
  await operation.getByRole("button", { name: "Try it out" }).waitFor();
  await assertAccessibleInBoth(page);
  await operation.getByRole("button", { name: "Try it out" }).click();
  await operation.getByRole("button", { name: "Execute" }).waitFor();
  await assertAccessibleInBoth(page);
});

sharedServerTest("every operation of the API documentation has its own address", async (site) => {
  const { page } = await visit(site, "/docs");
  await page.getByRole("button", { name: /^POST/ }).first().click();
  await page.waitForURL(/#\//);
  await page.reload();
  await page.getByRole("button", { name: "Try it out" }).waitFor();
});

sharedServerTest("the API documentation does not scroll sideways on a narrow screen", async (site) => {
  const { page } = await visit(site, "/docs", { viewport: { width: 320, height: 640 } });
  await page.locator(".opblock").first().waitFor();
  assert.equal(await sidewaysScroll(page), 0);
});

sharedServerTest(
  "the API documentation accepts an access key, and an account's address and API key",
  async (site) => {
    const { page, complaints } = await visit(site, "/docs");
    await page.getByRole("button", { name: "Authorize" }).click();
    const dialog = page.locator(".modal-ux");
    const forms = dialog.locator(".auth-container");
    const bearer = forms.filter({ hasText: /bearerKey/ });
    const basic = forms.filter({ hasText: "apiKey (http, Basic)" });
    await bearer.getByRole("textbox").fill("right");
    await bearer.getByRole("button", { name: "Apply credentials" }).click();
    await bearer.getByText("Authorized").first().waitFor();
    await basic.getByRole("textbox", { name: "username" }).fill("owner@example.com");
    await basic.getByRole("textbox", { name: "password" }).fill("right");
    await basic.getByRole("button", { name: "Apply credentials" }).click();
    await basic.getByText("Authorized").first().waitFor();
    assert.deepEqual(complaints, []);
  },
);
