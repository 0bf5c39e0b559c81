import assert from "node:assert/strict";
import { browserTest, setupPath, type Site, visit } from "./helpers.ts";
import { assertRendersWell } from "./rendering.ts";

const PASSWORD = "violet kettle seldom 42";

async function setUp(site: Site, options = {}) {
  const visited = await visit(site, await setupPath(site), options);
  const { page } = visited;
  await page.getByLabel("organization", { exact: false }).first().fill("Gardeners");
  await page.locator("[name=full_name]").fill("Ada Green");
  await page.locator("[name=email]").fill("ada@example.com");
  await page.locator("[name=password]").fill(PASSWORD);
  await page.keyboard.press("Enter");
  await page.waitForURL("**/admin");
  await page.goto("/account");
  return visited;
}

browserTest(
  "setup, change of name, display of the API key, sign-out and sign-in work without JavaScript",
  async (site) => {
    const { page, complaints } = await setUp(site, { javaScriptEnabled: false });
    assert.equal(await page.locator("h1").textContent(), "Your account");
    await page.locator("[name=full_name]").fill("Ada Meadow");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/account?done=name");
    assert.match(await page.locator("main").innerText(), /Name saved/);

    await page.locator("#password").fill(PASSWORD);
    await page.getByRole("button", { name: "Show API key" }).click();
    assert.match(await page.locator("#api_key").inputValue(), /^[0-9A-Za-z]{32}$/);

    await page.getByRole("button", { name: "Sign out", exact: true }).click();
    await page.waitForURL("**/login?notice=out");
    await page.goto("/account");
    await page.waitForURL("**/login?next=*");
    await page.locator("[name=username]").fill("ada@example.com");
    await page.locator("[name=password]").fill("wrong");
    await page.keyboard.press("Enter");
    await page.getByText("Your email address or password is incorrect.").waitFor();
    await page.locator("[name=password]").fill(PASSWORD);
    await page.keyboard.press("Enter");
    await page.waitForURL("**/account");
    assert.match(await page.locator("header").innerText(), /Ada Meadow at Gardeners/);
    assert.deepEqual(complaints, []);
  },
);

browserTest(
  "the account page offers and keeps a former name of a time zone, as browsers report it",
  async (site) => {
    const { page } = await setUp(site, { timezoneId: "Asia/Calcutta" });
    await page.getByRole("button", { name: "Use Asia/Calcutta of this browser" }).click();
    await page.getByRole("button", { name: "Save time zone" }).click();
    await page.waitForURL("**/account?done=timezone");
    assert.equal(await page.locator("#timezone").inputValue(), "Asia/Calcutta");
  },
);

browserTest("the printed setup link stops working once it was used", async (site) => {
  await setUp(site);
  const { page } = await visit(site, await setupPath(site));
  assert.equal(await page.locator("form").count(), 0);
});

browserTest(
  "the account pages are accessible and fit a narrow screen in both color schemes",
  async (site) => {
    const { page } = await setUp(site, { bypassCSP: true });
    for (const path of ["/account", "/forgot-password"]) {
      await page.goto(path);
      await assertRendersWell(page, path);
    }
    await page.context().clearCookies();
    await page.goto("/login");
    await assertRendersWell(page, "/login");
  },
);
