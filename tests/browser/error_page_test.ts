import assert from "node:assert/strict";
import { assertAccessible, COLOR_SCHEMES, sharedServerTest, sidewaysScroll, visit } from "./helpers.ts";

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

for (const colorScheme of COLOR_SCHEMES) {
  sharedServerTest(
    `the error page and the sign-in page are accessible in the ${colorScheme} scheme`,
    async (site) => {
      const options = { colorScheme, bypassCSP: true, viewport: { width: 320, height: 640 } };
      for (const path of ["/no/such/page", "/login"]) {
        const { page, complaints } = await visit(site, path, options);
        await assertAccessible(page);
        assert.equal(await sidewaysScroll(page), 0);
        assert.deepEqual(complaints, []);
      }
    },
  );
}
