import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { type AdminCast, adminTest } from "./admin_cast.ts";
import { dragOnto, fingerOf, mouseOf } from "./dragging.ts";
import { waitForState } from "./helpers.ts";
import { whenLive } from "./live.ts";

const LIST = "/admin/channel-folders";

async function createFolders(cast: AdminCast, names: readonly string[]): Promise<void> {
  for (const name of names) {
    await cast.call("owner", "POST /channel_folders/create", { name, description: "" });
  }
}

function shownOrder(page: Page): Promise<string[]> {
  return page.locator("#folders tr[data-id] th bdi").allTextContents();
}

async function storedOrder(cast: AdminCast): Promise<string[]> {
  const { channel_folders } = await cast.call("owner", "GET /channel_folders");
  return channel_folders.map(({ name }: { name: string }) => name);
}

for (const javaScriptEnabled of [true, false]) {
  adminTest(
    `the life cycle of a folder works ${javaScriptEnabled ? "with" : "without"} JavaScript`,
    async (cast) => {
      await cast.call("owner", "POST /channels/create", { name: "compost", subscribers: [] });
      const { page, complaints } = await cast.visitAs("admin", LIST, { javaScriptEnabled });
      const status = page.getByRole("status");
      const create = async (name: string) => {
        await page.getByRole("textbox", { name: "Name" }).fill(name);
        await page.getByRole("button", { name: "Create folder" }).click();
      };
      await create("Beds");
      await status.getByText("Folder Beds created.").waitFor();
      await create("beds");
      await page.locator("#name-problem").waitFor();
      assert.equal(await page.getByRole("textbox", { name: "Name" }).inputValue(), "beds");
      await page.getByRole("textbox", { name: "Name" }).evaluate((field) =>
        field.removeAttribute("maxlength")
      );
      await create("a".repeat(61));
      await page.locator("#name-problem", { hasText: "1 character over the limit" }).waitFor();

      await page.goto(LIST);
      await page.getByRole("link", { name: /^Edit.*Beds/ }).click();
      await page.getByRole("heading", { name: "Edit Beds" }).waitFor();
      await page.getByLabel("compost").check();
      await page.getByRole("button", { name: "Save channels" }).click();
      await status.getByText("Beds now has 1 channel.").waitFor();
      await page.getByRole("link", { name: /^Archive.*Beds/ }).click();
      await page.getByRole("button", { name: "Archive folder" }).click();
      await status.getByText("Folder Beds archived.").waitFor();
      assert.equal(await page.getByRole("link", { name: "Beds", exact: true }).count(), 0);
      await page.getByRole("link", { name: "Show archived folders" }).click();
      await page.getByRole("button", { name: "Restore: Beds" }).click();
      await status.getByText("Folder Beds restored with 1 channel.").waitFor();
      assert.deepEqual(complaints, []);
    },
  );
}

adminTest(
  "the second of two administrators who edit a folder gets a conflict and keeps what they typed",
  async (cast) => {
    await createFolders(cast, ["Beds"]);
    const [first, second] = await Promise.all([cast.visitAs("admin", LIST), cast.visitAs("owner", LIST)]);
    for (const { page } of [first, second]) {
      await page.getByRole("link", { name: /^Edit.*Beds/ }).click();
      await page.getByRole("heading", { name: "Edit Beds" }).waitFor();
    }
    const save = async (page: Page, name: string) => {
      await page.getByRole("textbox", { name: "Name" }).fill(name);
      await page.getByRole("button", { name: "Save", exact: true }).click();
    };
    await save(first.page, "Rose beds");
    await first.page.getByText("Folder Rose beds saved.").waitFor();
    await save(second.page, "Tulips");
    await second.page.getByText("Someone else changed this while you were editing.").waitFor();
    assert.equal(await second.page.getByRole("textbox", { name: "Name" }).inputValue(), "Tulips");
    assert.deepEqual(await storedOrder(cast), ["Rose beds"]);
  },
);

adminTest(
  "folders are reordered by dragging and with keyboard buttons, without a page load",
  async (cast) => {
    await createFolders(cast, ["A", "B", "C"]);
    // All rows are visible: Playwright's mouse cannot drop outside of the viewport.
    const { page, complaints } = await cast.visitAs("admin", LIST, {
      viewport: { width: 1280, height: 1000 },
    });
    await page.evaluate(() => document.body.dataset["kept"] = "yes");
    const row = (name: string) => page.getByRole("rowheader", { name });
    const mouse = mouseOf(page);
    await dragOnto(mouse, row("A"), row("B"));
    await waitForState(() => shownOrder(page), ["B", "A", "C"]);
    await page.keyboard.press("Escape");
    await mouse.release();
    await waitForState(() => shownOrder(page), ["A", "B", "C"]);
    await dragOnto(mouse, row("A"), row("B"));
    await waitForState(() => shownOrder(page), ["B", "A", "C"]);
    await page.mouse.move(0, 0);
    await mouse.release();
    await waitForState(() => shownOrder(page), ["A", "B", "C"]);
    await dragOnto(mouse, row("A"), row("C"));
    await waitForState(() => shownOrder(page), ["B", "C", "A"]);
    await mouse.release();
    await page.getByText("A moved to position 3 of 3.").waitFor();
    await waitForState(() => shownOrder(page), ["B", "C", "A"]);
    assert.deepEqual(await storedOrder(cast), ["B", "C", "A"]);
    await page.getByRole("button", { name: "Move up: A" }).focus();
    await page.keyboard.press("Enter");
    await page.getByText("A moved to position 2 of 3.").waitFor();
    await page.locator("[aria-label='Move up: A']:focus").waitFor();
    await page.keyboard.press("Enter");
    await page.getByText("A moved to position 1 of 3.").waitFor();
    // The row cannot move further up, so the focus is on a button that still works.
    await page.locator("[aria-label='Move down: A']:focus").waitFor();
    await waitForState(() => page.getByRole("button", { name: "Move up: A" }).isDisabled(), true);
    assert.deepEqual(await storedOrder(cast), ["A", "B", "C"]);
    assert.equal(await page.evaluate(() => document.body.dataset["kept"]), "yes");
    assert.deepEqual(complaints, []);
  },
);

adminTest(
  "folders are reordered by touch, with their handles, and a canceled touch changes nothing",
  async (cast) => {
    await createFolders(cast, ["A", "B", "C"]);
    const { page, complaints } = await cast.visitAs("admin", LIST, {
      hasTouch: true,
      isMobile: true,
      viewport: { width: 390, height: 1400 },
    });
    const row = (name: string) => page.getByRole("rowheader", { name });
    const finger = await fingerOf(page);
    await dragOnto(finger, row("C"), row("A"));
    await waitForState(() => shownOrder(page), ["C", "A", "B"]);
    await finger.release();
    await page.getByText("C moved to position 1 of 3.").waitFor();
    assert.deepEqual(await storedOrder(cast), ["C", "A", "B"]);
    await dragOnto(finger, row("C"), row("A"));
    await waitForState(() => shownOrder(page), ["A", "C", "B"]);
    await finger.move({ x: 200, y: 10 });
    await finger.release();
    await waitForState(() => shownOrder(page), ["C", "A", "B"]);
    // A row that is dropped where it was moves nothing, and buttons work. A tap right after a fast touch would be lost: the
    // browser takes it for the one that ends a fling.
    await dragOnto(finger, row("C"), page.getByRole("row").filter({ has: row("C") }));
    await page.locator(".drag-copy").waitFor();
    await finger.release();
    await page.getByRole("button", { name: "Move down: C" }).click();
    await page.getByText("C moved to position 2 of 3.").waitFor();
    assert.deepEqual(await storedOrder(cast), ["A", "C", "B"]);
    assert.deepEqual(complaints, []);
  },
);

adminTest("rows slide to their positions, but not for users who prefer reduced motion", async (cast) => {
  await createFolders(cast, ["A", "B", "C"]);
  for (const reducedMotion of ["no-preference", "reduce"] as const) {
    const { page } = await cast.visitAs("admin", LIST, { reducedMotion });
    await page.evaluate(() => {
      const { animate } = Element.prototype;
      HTMLTableRowElement.prototype.animate = function (...args) {
        this.dataset["slid"] = "yes";
        return animate.apply(this, args);
      };
    });
    const row = (name: string) => page.getByRole("rowheader", { name });
    const mouse = mouseOf(page);
    await dragOnto(mouse, row("A"), row("B"));
    await waitForState(() => shownOrder(page), ["B", "A", "C"]);
    await page.keyboard.press("Escape");
    await mouse.release();
    assert.equal(await page.locator("[data-slid]").count() > 0, reducedMotion === "no-preference");
    await page.context().close();
  }
});

adminTest("buttons reorder folders without JavaScript", async (cast) => {
  await createFolders(cast, ["A", "B"]);
  const { page } = await cast.visitAs("admin", LIST, { javaScriptEnabled: false });
  await page.getByRole("button", { name: "Move down: A" }).click();
  await page.getByText("A moved to position 2 of 2.").waitFor();
  await waitForState(() => shownOrder(page), ["B", "A"]);
});

adminTest("a move that the server refuses or never receives is undone and reported", async (cast) => {
  await createFolders(cast, ["A", "B"]);
  const { page } = await cast.visitAs("admin", LIST);
  await whenLive(page);
  // The server itself refuses: the user is no longer an administrator.
  await cast.call("owner", `PATCH /users/${cast.people.admin.id}`, { role: 400 });
  await page.getByRole("button", { name: "Move down: A" }).click();
  await page.getByRole("alert").getByText("Only administrators of the organization").waitFor();
  await waitForState(() => shownOrder(page), ["A", "B"]);
  await waitForState(() => page.getByRole("button", { name: "Move up: A" }).isDisabled(), true);
  await page.context().setOffline(true);
  await page.getByRole("button", { name: "Move down: A" }).click();
  await page.getByText("Something went wrong.").waitFor();
  await waitForState(() => shownOrder(page), ["A", "B"]);
  assert.deepEqual(await storedOrder(cast), ["A", "B"]);
});
