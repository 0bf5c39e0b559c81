import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
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

adminTest("in forced colors, the line below tabs, figures and chosen names stays visible", async (cast) => {
  const page = await visitForced(cast, "/admin/organization/status");
  const tabs = page.getByRole("navigation", { name: "Pages of the organization", exact: true });
  const line = await tabs.evaluate((nav) => nav.getBoundingClientRect().bottom - 1);
  const ends = await tabs.locator("a:not([aria-current='page'])").evaluateAll((links) =>
    links.map((link) => link.getBoundingClientRect().bottom)
  );
  assert.ok(ends.length > 0 && ends.every((end) => end <= line), `${ends} cover ${line}`);
  await page.goto("/admin");
  const figure = page.getByRole("listitem").filter({ hasText: "Messages today" });
  assert.equal(await figure.evaluate((item) => getComputedStyle(item).outlineStyle), "solid");
  const { user_id } = await cast.call("owner", "POST /bots", { full_name: "Rain", short_name: "rain" });
  await page.goto(`/admin/users/${user_id}`);
  const owner = page.getByRole("listitem").filter({ has: page.getByRole("button", { name: /^Remove/ }) });
  await waitForState(() => owner.evaluate((pill) => getComputedStyle(pill).borderTopStyle), "solid");
});

adminTest(
  "the navigation fits the screen of a laptop, and the frame of a phone has one margin",
  async (cast) => {
    const { page } = await cast.visitAs("owner", "/admin", { viewport: { width: 1280, height: 800 } });
    const rail = page.locator("header").first();
    assert.ok(await rail.evaluate((header) => header.scrollHeight <= header.clientHeight));
    for (const width of [390, 820]) {
      await page.setViewportSize({ width, height: 844 });
      const edges = await page.evaluate(() => {
        const box = (selector: string) => document.querySelector(selector)?.getBoundingClientRect();
        const menu = box("header summary")?.right ?? 0;
        return [box("header a")?.left, box("main h1")?.left, innerWidth - menu];
      });
      assert.equal(new Set(edges).size, 1, `${width}: ${edges}`);
    }
  },
);

adminTest("in forced colors, lines of charts have the color of text", async (cast) => {
  const page = await visitForced(cast, "/admin/stats");
  const colors = await page.locator("svg:has(desc) path").evaluateAll((paths) => {
    const text = getComputedStyle(document.body).color;
    return paths.map((path) => getComputedStyle(path).stroke === text);
  });
  assert.ok(colors.includes(true), `${colors}`);
});

adminTest("in forced colors, a chosen link has the focus ring of other links", async (cast) => {
  const page = await visitForced(cast, "/admin/groups");
  const rail = page.getByRole("navigation").getByRole("link");
  const current = rail.and(page.locator("[aria-current='page']")).first();
  assert.equal(await current.evaluate((link) => getComputedStyle(link).borderTopStyle), "solid");
  await assertSameRing(page, current);
  await page.goto("/admin/linkifiers/new?template=issue");
  await assertSameRing(page, page.locator("main a[aria-current='true']"));
});

/** Asserts that a link has no outline before it has the focus, and then that of the link after it. */
async function assertSameRing(page: Page, link: Locator): Promise<void> {
  const ringOf = (element: Locator) =>
    element.evaluate((node) => {
      const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(node);
      return [outlineStyle, outlineWidth, outlineOffset].join(" ");
    });
  assert.match(await ringOf(link), /^none/);
  await link.focus();
  await page.keyboard.press("Tab");
  const other = await ringOf(page.locator(":focus"));
  await page.keyboard.press("Shift+Tab");
  assert.equal(await link.evaluate((node) => node === document.activeElement), true);
  assert.equal(await ringOf(link), other);
}

adminTest("in forced colors, the chosen theme is underlined", async (cast) => {
  const page = await visitForced(cast, "/admin");
  for (const path of ["/admin", "/account"]) {
    await page.goto(path);
    const underlined = await page.locator("button[name=theme]").evaluateAll((buttons) =>
      buttons.filter((button) => getComputedStyle(button).textDecorationLine === "underline")
        .map((button) => button.textContent)
    );
    // Administration pages have the navigation twice: for wide and for narrow screens.
    assert.deepEqual([...new Set(underlined)], ["System"], path);
  }
});

adminTest("in forced colors, addresses with problems differ from the others", async (cast) => {
  const page = await visitForced(cast, "/admin/invitations?kind=email");
  await page.getByText("Choose a file").waitFor();
  await page.locator("#emails").fill("noor@example.com, tomas@example,");
  const pills = page.getByRole("listitem").filter({ has: page.getByRole("button", { name: /^Remove/ }) });
  const borders = () =>
    pills.evaluateAll((items) => items.map((item) => getComputedStyle(item).borderTopStyle));
  await waitForState(async () => (await borders()).join(), "solid,dashed");
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
