import assert from "node:assert/strict";
import { sharedServerTest, visit } from "./helpers.ts";
import { assertRendersWell } from "./rendering.ts";

sharedServerTest("the error page of an unknown address links to the home page", async (site) => {
  const { page, complaints } = await visit(site, "/no/such/page");
  assert.equal(await page.title(), "Page not found · Sotto");
  assert.equal(await page.getByRole("heading", { level: 1 }).textContent(), "Page not found");
  assert.match(await page.locator("main code").textContent() ?? "", /^[\w.-]+$/);
  await page.getByRole("link", { name: "Shorten a URL" }).click();
  await page.waitForURL(`${site.baseUrl}/`);
  assert.deepEqual(complaints, []);
});

sharedServerTest("the error page of an unknown short link names the problem", async (site) => {
  const { page } = await visit(site, "/%E2%80%8C%E2%80%8C");
  assert.equal(await page.getByText("No short link has this ID.").count(), 1);
});

sharedServerTest("the error page and the sign-in page are accessible and fit small screens", async (site) => {
  const { page, complaints } = await visit(site, "/no/such/page", { bypassCSP: true });
  await assertRendersWell(page, "/no/such/page");
  await page.goto("/login");
  await assertRendersWell(page, "/login");
  assert.deepEqual(complaints, []);
});
