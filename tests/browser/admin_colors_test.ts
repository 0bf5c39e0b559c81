import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { type AdminCast, adminTest } from "./admin_cast.ts";
import { waitForState } from "./helpers.ts";

/** Opens a page as the owner in forced colors, with white text on black. */
async function visitForced(cast: AdminCast, path: string): Promise<Page> {
  const { page } = await cast.visitAs("owner", path, { forcedColors: "active", colorScheme: "dark" });
  return page;
}

/** Returns the names of the links of a navigation whose lower border is visible. */
function underlinedTabs(page: Page, label: string): Promise<string[]> {
  return page.getByRole("navigation", { name: label, exact: true }).getByRole("link").evaluateAll((links) => {
    const canvas = getComputedStyle(document.body).backgroundColor;
    return links.filter((link) => getComputedStyle(link).borderBottomColor !== canvas)
      .map((link) => link.textContent ?? "");
  });
}

adminTest("in forced colors, only the current tab is underlined", async (cast) => {
  const page = await visitForced(cast, "/admin/organization/status");
  assert.deepEqual(await underlinedTabs(page, "Pages of the organization"), ["Status"]);
  await page.goto("/admin/activity?days=90");
  assert.deepEqual(await underlinedTabs(page, "Period"), ["90 days"]);
  await page.goto("/admin/users?tab=bots");
  assert.deepEqual(await underlinedTabs(page, "Users"), ["Bots"]);
  await page.goto("/admin/invitations?kind=link");
  assert.deepEqual(await underlinedTabs(page, "How to invite"), ["Reusable link"]);
});

adminTest("in forced colors, lines of charts have the color of text", async (cast) => {
  const page = await visitForced(cast, "/admin/stats");
  const colors = await page.locator("svg:has(desc) path").evaluateAll((paths) => {
    const text = getComputedStyle(document.body).color;
    return paths.map((path) => getComputedStyle(path).stroke === text);
  });
  assert.ok(colors.includes(true), `${colors}`);
});

adminTest("only steps that are done have a check mark", async (cast) => {
  const page = await visitForced(cast, "/admin");
  const steps = await page.locator("ol > li:has(h3)").allInnerTexts();
  assert.ok(steps.length > 0);
  for (const step of steps) assert.equal(step.includes("✓"), step.includes(": Done"), step);
});

adminTest("on a phone, the mark of a step is beside its title", async (cast) => {
  const { page } = await cast.visitAs("owner", "/admin", { viewport: { width: 390, height: 844 } });
  const step = page.locator("ol > li:has(h3)").first();
  const mark = await step.locator("[aria-hidden]").first().boundingBox();
  const title = await step.locator("h3").boundingBox();
  assert.ok(mark !== null && title !== null);
  assert.ok(Math.abs(mark.y - title.y) < title.height && mark.x + mark.width < title.x);
});

adminTest("a name of two lines stays beside the checkbox of its row", async (cast) => {
  const { id } = cast.people.guest;
  await cast.call("owner", `PATCH /users/${id}`, { full_name: "Maximiliana ".repeat(8).trim() });
  const { page } = await cast.visitAs("owner", "/admin/users");
  const name = page.getByRole("link", { name: /^Maximiliana/ });
  const lines = () => name.evaluate((link) => [...link.getClientRects()].map(({ left }) => Math.round(left)));
  await waitForState(async () => (await lines()).length > 1, true);
  assert.equal(new Set(await lines()).size, 1, `${await lines()}`);
});
