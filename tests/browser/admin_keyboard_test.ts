import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { type AdminCast, adminTest } from "./admin_cast.ts";
import { assertAccessible, COLOR_SCHEMES, stopClock, waitForState } from "./helpers.ts";
import { whenLive } from "./live.ts";

const NO_SCRIPT = { javaScriptEnabled: false };

function focused(page: Page): Promise<string> {
  return page.evaluate(() => document.activeElement?.textContent?.trim() ?? "");
}

/** Records navigations of the page at their start, as their completion can take long. */
function recordNavigation(page: Page): Promise<void> {
  return page.evaluate(() => {
    sessionStorage.removeItem("left");
    const navigation: unknown = Reflect.get(globalThis, "navigation");
    if (!(navigation instanceof EventTarget)) throw new Error("the browser does not report navigations");
    navigation.addEventListener("navigate", () => sessionStorage.setItem("left", "yes"));
  });
}

function isLeft(page: Page): Promise<boolean> {
  return page.evaluate(() => sessionStorage.getItem("left") !== null);
}

adminTest("`?` opens the list of shortcuts, and closing it restores the focus", async (cast) => {
  const { page, complaints } = await cast.visitAs("owner", "/admin");
  const sheet = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  const link = page.getByRole("link", { name: "Audit log" }).first();
  await link.focus();
  await page.keyboard.press("?");
  await sheet.waitFor();
  await waitForState(() => focused(page), "Close");
  await page.keyboard.press("g");
  await page.keyboard.press("f");
  assert.ok(await sheet.isVisible(), "nothing acts behind it");
  await page.keyboard.press("Escape");
  await sheet.waitFor({ state: "hidden" });
  await waitForState(() => focused(page), "Audit log");
  await page.getByRole("link", { name: "Keyboard shortcuts" }).first().click();
  await sheet.getByRole("button", { name: "Close" }).click();
  await sheet.waitFor({ state: "hidden" });
  assert.equal(new URL(page.url()).pathname, "/admin");
  assert.deepEqual(complaints, []);
});

adminTest("`g` and a letter open a page, but not while the user types or holds a modifier", async (cast) => {
  const { page } = await cast.visitAs("admin", "/admin");
  await recordNavigation(page);
  await stopClock(page);
  await page.keyboard.press("g");
  await page.keyboard.press("x");
  await page.keyboard.press("f");
  await page.keyboard.press("Control+g");
  await page.keyboard.press("f");
  assert.equal(await isLeft(page), false);
  await page.keyboard.press("g");
  await page.keyboard.press("f");
  await page.clock.resume();
  await page.waitForURL("**/admin/channel-folders");
  await whenLive(page);
  await recordNavigation(page);
  await page.clock.pauseAt("2030-01-03T00:00:00Z");
  const name = page.getByLabel("Name");
  await name.focus();
  await page.keyboard.type("gog?");
  assert.equal(await name.inputValue(), "gog?");
  assert.equal(await page.getByRole("dialog").count(), 0);
  assert.equal(await isLeft(page), false);
});

adminTest(
  "single-key shortcuts can be turned off and on, with and without JavaScript, persistently",
  async (cast) => {
    const { page } = await cast.visitAs("admin", "/admin/channel-folders");
    await page.keyboard.press("?");
    await page.getByRole("button", { name: "Turn off single-key shortcuts" }).click();
    await page.getByText("Single-key shortcuts are off.", { exact: true }).waitFor();
    await whenLive(page);
    await recordNavigation(page);
    await stopClock(page);
    await page.keyboard.press("?");
    await page.keyboard.press("g");
    await page.keyboard.press("o");
    assert.equal(await isLeft(page), false);
    await page.keyboard.press("Control+k");
    await page.getByRole("dialog", { name: /^Find pages, people/ }).waitFor();
    assert.equal(await page.getByRole("dialog").count(), 1);
    assert.equal(new URL(page.url()).pathname, "/admin/channel-folders");

    const plain = await cast.visitAs("admin", "/admin", NO_SCRIPT);
    await plain.page.getByRole("link", { name: "Find anything" }).click();
    await plain.page.getByRole("searchbox", { name: "Search" }).fill("dark");
    await plain.page.getByRole("button", { name: "Search" }).click();
    await plain.page.getByRole("button", { name: "Dark theme" }).waitFor();
    await plain.page.getByRole("link", { name: "Keyboard shortcuts" }).click();
    await plain.page.waitForURL("**/admin/shortcuts");
    await plain.page.getByRole("button", { name: "Turn off single-key shortcuts" }).click();
    await plain.page.getByText("Single-key shortcuts are off.", { exact: true }).waitFor();
    await plain.page.getByRole("button", { name: "Turn on single-key shortcuts" }).click();
    await plain.page.getByText("Single-key shortcuts are on.", { exact: true }).waitFor();
    assert.deepEqual(plain.complaints, []);
  },
);

adminTest("the page search finds a page by part of its name with the keyboard alone", async (cast) => {
  const { page, complaints } = await cast.visitAs("owner", "/admin");
  const palette = page.getByRole("dialog", { name: /^Find pages, people/ });
  const field = page.getByRole("combobox");
  const selected = () => page.getByRole("option", { selected: true }).textContent();
  await page.getByRole("link", { name: "Groups" }).first().focus();
  await page.keyboard.press("Control+k");
  await palette.waitFor();
  await waitForState(selected, "Overview");
  await page.keyboard.press("ArrowUp");
  await waitForState(selected, "Keyboard shortcuts");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await waitForState(selected, "Invitations");
  const active = await field.getAttribute("aria-activedescendant");
  await waitForState(() => page.locator(`#${active}`).textContent(), "Invitations");
  await page.keyboard.type("nobody calls a page this");
  await palette.getByText("No results.").waitFor();
  await waitForState(() => page.getByRole("option").count(), 0);
  await page.keyboard.press("Enter");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Escape");
  await palette.waitFor({ state: "hidden" });
  await waitForState(() => focused(page), "Groups");

  await page.getByRole("link", { name: "Find anything" }).click();
  await waitForState(() => field.inputValue(), "");
  await page.keyboard.type("FOLDER create");
  await waitForState(() => page.getByRole("option").allInnerTexts(), ["Create folder\nChannel folders"]);
  await page.keyboard.press("Enter");
  await page.waitForURL("**/admin/channel-folders");
  await whenLive(page);
  await page.keyboard.press("Meta+k");
  await waitForState(selected, "Create folderChannel folders");
  await page.keyboard.type("dark");
  await page.getByRole("option", { name: /^Dark theme/ }).click();
  await page.locator("html[data-theme=dark]").waitFor();
  await page.keyboard.press("Meta+k");
  await waitForState(selected, "Dark themeTheme");
  await page.getByRole("option", { name: "Your account" }).click();
  await page.waitForURL("**/account");
  assert.deepEqual(complaints, []);
});

adminTest(
  "the dialogs of the admin pages are accessible in both color schemes and fit a narrow screen",
  async (cast) => {
    const options = { bypassCSP: true, viewport: { width: 320, height: 640 } };
    const { page } = await cast.visitAs("owner", "/admin", options);
    for (const colorScheme of COLOR_SCHEMES) {
      await page.emulateMedia({ colorScheme });
      for (const key of ["?", "Control+k"]) {
        await page.keyboard.press(key);
        await page.locator("dialog[open]").waitFor();
        await assertAccessible(page);
        const width = await page.locator("dialog[open]").evaluate(({ scrollWidth, clientWidth }) =>
          scrollWidth - clientWidth
        );
        assert.equal(width, 0, key);
        await page.keyboard.press("Escape");
        // A closed field keeps the focus until the next frame.
        await page.waitForFunction(() => document.activeElement === document.body);
      }
    }
  },
);

adminTest("a button opens the navigation on a narrow screen, with the keyboard", async (cast) => {
  for (const javaScriptEnabled of [true, false]) {
    const { page } = await cast.visitAs("admin", "/admin", {
      javaScriptEnabled,
      viewport: { width: 320, height: 640 },
    });
    const users = page.getByRole("navigation").getByRole("link", { name: "Users" });
    assert.equal(await users.count(), 0);
    await page.keyboard.press("Tab");
    await waitForState(() => focused(page), "Skip to content");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await waitForState(() => focused(page), "Menu");
    await page.keyboard.press("Enter");
    await users.waitFor();
    await page.keyboard.press("Enter");
    await users.waitFor({ state: "hidden" });
  }
});

async function shorten({ site }: AdminCast, url: string): Promise<string> {
  const response = await fetch(`${site.baseUrl}/`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ url }),
  });
  const { short } = await response.json();
  return short;
}

adminTest("the search dialog finds people, channels, settings and short links", async (cast) => {
  await cast.call("owner", "POST /channels/create", { name: "Éclairs", subscribers: [] });
  const short = await shorten(cast, "https://shop.example/bulbs/tulip");
  const { page, complaints } = await cast.visitAs("owner", "/admin");
  const find = async (text: string, option: string) => {
    await page.getByRole("dialog").getByRole("combobox").fill(text);
    await page.getByRole("option", { name: option }).waitFor();
  };
  await page.keyboard.press("Control+k");
  await find("eclair", "#Éclairs Channels");
  await find("delete any", "Delete any message Permission of the organization");
  await find("dil", "Dilip Users");
  await page.keyboard.press("Enter");
  await page.waitForURL(`**/admin/users/${cast.people.member.id}`);
  await whenLive(page);
  await page.keyboard.press("Control+k");
  await find("tulip", "https://shop.example/bulbs/tulip Short link");
  await page.keyboard.press("Enter");
  await page.waitForURL(`**/admin/links/${encodeURIComponent(short)}`);
  assert.deepEqual(complaints, []);
});
