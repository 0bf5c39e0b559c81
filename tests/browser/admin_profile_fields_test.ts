import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { profileFieldsSchema } from "@/lib/chat/people/profile_fields/api.ts";
import { scriptLimit } from "@/tests/helpers/fresh_package.ts";
import { type AdminCast, adminTest } from "./admin_cast.ts";
import { dragOnto, fingerOf, mouseOf } from "./dragging.ts";
import { scriptSize, waitForState } from "./helpers.ts";
import { whenShown } from "./live.ts";
import { assertRendersWell } from "./rendering.ts";

const PAGE = "/admin/profile-fields";
const BUDGET_BYTES = scriptLimit(20_500);
const TREES = {
  "0": { text: "Oak", order: "1" },
  "1": { text: "Ash", order: "2" },
  "2": { text: "Elm", order: "3" },
};

/** Creates fields of several types; the member chose the ash. */
async function createFields(cast: AdminCast) {
  const make = async (sent: Record<string, unknown>): Promise<number> =>
    (await cast.call("admin", "POST /realm/profile_fields", sent)).id;
  const tree = await make({ name: "Tree", hint: "Your favorite", field_type: 3, field_data: TREES });
  const phone = await make({ name: "Phone", field_type: 1 });
  const about = await make({ name: "About", field_type: 2 });
  await cast.call("member", "PATCH /users/me/profile_data", { data: [{ id: tree, value: "1" }] });
  return { tree, phone, about };
}

const rowsOf = (page: Page) =>
  page.locator("[name=choice_text]").evaluateAll((inputs) =>
    inputs.map((input) => input instanceof HTMLInputElement ? input.value : "")
  );

async function fieldsOf(cast: AdminCast) {
  return profileFieldsSchema.parse(await cast.call("admin", "GET /realm/profile_fields")).custom_fields;
}

adminTest(
  "a field is created: choosing a type changes the form, and the card previews the input",
  async (cast) => {
    const { page, complaints } = await cast.visitAs("admin", `${PAGE}/new`);
    const label = page.getByLabel("Label", { exact: true });
    await page.getByRole("radio", { name: "Pronouns" }).check();
    await waitForState(() => label.inputValue(), "Pronouns");
    await page.waitForURL(/\?type=8$/);
    await page.getByRole("radio", { name: "External account" }).check();
    await label.waitFor({ state: "hidden" });
    await waitForState(() => label.inputValue(), "");
    await page.getByText("https://twitter.com/username").waitFor();
    await page.getByRole("radio", { name: "Other site" }).check();
    await page.getByLabel("URL pattern").fill("https://plants.example/%(username)s");
    await page.getByText("https://plants.example/username").waitFor();

    await page.getByRole("radio", { name: "List of choices" }).check();
    await page.getByLabel("URL pattern").waitFor({ state: "hidden" });
    await label.fill("Tree");
    const card = page.getByRole("complementary");
    await card.getByText("Tree", { exact: true }).waitFor();
    await page.getByLabel("Choice 1").pressSequentially("Oak");
    await waitForState(() => rowsOf(page), ["Oak", ""]);
    await page.keyboard.press("Enter");
    await page.locator("[name=choice_text]:focus").and(page.getByLabel("Choice 2")).waitFor();
    await page.keyboard.type("Ash");
    await card.getByText("Oak", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Sort A to Z" }).click();
    await card.getByText("Ash", { exact: true }).waitFor();
    await page.getByLabel("Show on the card").check();
    await card.getByText("Not on the card").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Add field" }).click();
    await page.getByText("Field Tree added.").waitFor();
    const [field] = await fieldsOf(cast);
    assert.deepEqual(Object.values(JSON.parse(field?.field_data ?? "")), [
      { text: "Ash", order: "1" },
      { text: "Oak", order: "2" },
    ]);
    assert.deepEqual(complaints, []);
  },
);

adminTest(
  "choices are moved, dragged, removed and restored; a loss of answers is confirmed before saving",
  async (cast) => {
    const { tree } = await createFields(cast);
    const { page, complaints } = await cast.visitAs("admin", `${PAGE}/${tree}`);
    const save = page.getByRole("button", { name: "Save", exact: true });
    await page.getByText("No changes to save.").waitFor();
    await waitForState(() => save.isDisabled(), true);

    await page.getByRole("button", { name: "Move up: Elm" }).focus();
    await page.keyboard.press("Enter");
    await page.getByText("Elm moved to position 2 of 3.").waitFor();
    await waitForState(() => rowsOf(page), ["Oak", "Elm", "Ash", ""]);
    await waitForState(() => save.isEnabled(), true);
    await page.locator("[aria-label='Move up: Elm']:focus").waitFor();
    await page.keyboard.press("Enter");
    await page.getByText("Elm moved to position 1 of 3.").waitFor();
    await waitForState(() => rowsOf(page), ["Elm", "Oak", "Ash", ""]);
    // The pressed button is disabled now, so the focus moves to the one beside it.
    await page.locator("[aria-label='Move down: Elm']:focus").waitFor();
    await page.keyboard.press("Enter");
    await page.getByText("Elm moved to position 2 of 3.").waitFor();
    await page.locator("[aria-label='Move down: Elm']:focus").waitFor();
    await page.keyboard.press("Enter");
    await page.getByText("Elm moved to position 3 of 3.").waitFor();
    await waitForState(() => rowsOf(page), ["Oak", "Ash", "Elm", ""]);
    await waitForState(() => save.isDisabled(), true);

    const choices = page.locator("li[data-movable]");
    const mouse = mouseOf(page);
    await dragOnto(mouse, choices.nth(2), choices.first());
    await waitForState(() => rowsOf(page), ["Elm", "Oak", "Ash", ""]);
    await mouse.release();
    await page.getByText("Elm moved to position 1 of 3.").waitFor();
    await waitForState(() => rowsOf(page), ["Elm", "Oak", "Ash", ""]);
    await page.getByRole("button", { name: "Remove Ash" }).click();
    const loss = page.getByLabel("Remove “Ash” and clear it for the 1 user who chose it");
    await loss.waitFor();
    await page.getByRole("button", { name: "Restore Ash" }).click();
    await waitForState(() => rowsOf(page), ["Elm", "Oak", "Ash", ""]);
    await page.getByRole("button", { name: "Remove Ash" }).click();
    await page.getByRole("button", { name: "Remove Oak" }).click();
    await waitForState(() => page.getByRole("button", { name: "Remove Elm" }).isDisabled(), true);

    await save.click();
    await whenShown(page, "Confirm that these choices can be removed, or restore them.");
    await waitForState(() => rowsOf(page), ["Elm", ""]);
    await loss.check();
    await save.click();
    await page.getByText("Field Tree saved.").waitFor();
    assert.deepEqual(JSON.parse((await fieldsOf(cast))[0]?.field_data ?? ""), {
      "2": { text: "Elm", order: "1" },
    });
    assert.deepEqual(complaints, []);
  },
);

adminTest("choices are dragged by touch, and keep what was typed", async (cast) => {
  const { tree } = await createFields(cast);
  const { page, complaints } = await cast.visitAs("admin", `${PAGE}/${tree}`, {
    hasTouch: true,
    isMobile: true,
    viewport: { width: 390, height: 1600 },
  });
  await page.getByLabel("Choice 2").fill("Mountain ash");
  const choices = page.locator("li[data-movable]");
  const finger = await fingerOf(page);
  await dragOnto(finger, choices.nth(1), choices.first());
  await waitForState(() => rowsOf(page), ["Mountain ash", "Oak", "Elm", ""]);
  await finger.release();
  await page.getByText("Mountain ash moved to position 1 of 3.").waitFor();
  await waitForState(() => rowsOf(page), ["Mountain ash", "Oak", "Elm", ""]);
  // A tap right after a fast touch would be lost: the browser takes it for the one that ends a fling.
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Field Tree saved.").waitFor();
  const data = JSON.parse((await fieldsOf(cast)).find(({ id }) => id === tree)?.field_data ?? "");
  assert.deepEqual(data["1"], { text: "Mountain ash", order: "1" });
  assert.deepEqual(complaints, []);
});

adminTest("the keyboard alone reorders fields, displays them on the card and deletes them", async (cast) => {
  await createFields(cast);
  const { page, complaints } = await cast.visitAs("admin", PAGE);
  const press = async (role: "button" | "link" | "switch", name: string | RegExp) => {
    await page.getByRole(role, { name, exact: true }).focus();
    await page.keyboard.press("Enter");
  };
  await press("button", "Move up: Phone");
  await page.getByText("Field Phone moved.").waitFor();
  await press("switch", "Not shown: Phone");
  await page.getByText("Phone added to the card.").waitFor();
  await waitForState(
    () => page.getByRole("switch", { name: "Phone" }).getAttribute("aria-checked"),
    "true",
  );
  await press("switch", "Not shown: Tree");
  await whenShown(page, "Phone and Tree are on the card, which shows up to two fields.");
  const rows = page.locator("tbody tr[data-id]");
  const mouse = mouseOf(page);
  await dragOnto(mouse, rows.last(), rows.first());
  await rows.first().getByRole("link", { name: "About", exact: true }).waitFor();
  await mouse.release();
  await page.getByText("Field About moved.").waitFor();
  await press("link", /^Delete ?: Tree$/);
  await page.getByText("1 user filled it in.", { exact: false }).waitFor();
  await press("button", "Delete field");
  await page.getByText("Field Tree deleted.").waitFor();
  assert.deepEqual((await fieldsOf(cast)).map(({ name }) => name), ["About", "Phone"]);
  assert.deepEqual(complaints, []);
});

adminTest(
  "without JavaScript the form shows the type's settings, buttons keep input, and Enter saves",
  async (cast) => {
    const { page, complaints } = await cast.visitAs("admin", `${PAGE}/new`, { javaScriptEnabled: false });
    const pattern = page.getByLabel("URL pattern");
    assert.deepEqual([await pattern.isVisible(), await page.getByLabel("Choice 1").isVisible()], [
      false,
      false,
    ]);
    await page.getByText("External account", { exact: true }).click();
    await page.getByLabel("Label", { exact: true }).waitFor({ state: "hidden" });
    assert.equal(await pattern.isVisible(), false);
    await page.getByText("Other site", { exact: true }).click();
    await pattern.waitFor();
    await page.getByText("List of choices", { exact: true }).click();
    await page.getByLabel("Label", { exact: true }).fill("Tree");
    await page.getByLabel("Choice 1").fill("Oak");
    await page.getByRole("button", { name: "Add choice" }).click();
    await page.getByLabel("Choice 2").fill("Ash");
    await page.getByRole("button", { name: "Sort A to Z" }).click();
    await waitForState(() => rowsOf(page), ["Ash", "Oak", ""]);
    await page.getByRole("button", { name: "Move up: Oak" }).click();
    await waitForState(() => rowsOf(page), ["Oak", "Ash", ""]);
    await page.getByLabel("Choice 3").fill("Elm");
    await page.keyboard.press("Enter");
    await page.getByText("Field Tree added.").waitFor();
    await page.getByRole("link", { name: /^Edit ?: Tree$/ }).click();
    await page.getByLabel("Hint", { exact: true }).fill("Your favorite");
    await page.getByRole("button", { name: "Update preview" }).click();
    await page.getByRole("complementary").getByText("Your favorite").waitFor();
    await page.getByRole("button", { name: "Remove Oak" }).click();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Field Tree saved.").waitFor();
    assert.equal((await fieldsOf(cast))[0]?.hint, "Your favorite");
    assert.deepEqual(complaints, []);
  },
);

adminTest("leaving the page asks for confirmation only if choices changed", async (cast) => {
  const { tree } = await createFields(cast);
  const { page } = await cast.visitAs("admin", `${PAGE}/${tree}`);
  const asked: string[] = [];
  page.on("dialog", (dialog) => {
    asked.push(dialog.type());
    void dialog.accept();
  });
  await page.getByText("No changes to save.").waitFor();
  await page.reload();
  await whenShown(page, "No changes to save.");
  assert.deepEqual(asked, []);
  await page.getByRole("button", { name: "Remove Elm" }).click();
  // The page has registered the change once it shows it.
  await page.getByText("No changes to save.").waitFor({ state: "hidden" });
  await page.reload();
  await waitForState(() => Promise.resolve(asked), ["beforeunload"]);
});

adminTest(
  "the profile field pages are accessible, fit small screens and large text, and stay small",
  async (cast) => {
    const { tree, phone } = await createFields(cast);
    const paths = [PAGE, `${PAGE}/new`, `${PAGE}/new?type=3`, `${PAGE}/new?type=7`, `${PAGE}/${tree}`];
    const { page, complaints } = await cast.visitAs("admin", PAGE, { bypassCSP: true });
    for (const path of [...paths, `${PAGE}/${phone}`, `${PAGE}/${tree}/delete`]) {
      await page.goto(path);
      await assertRendersWell(page, path);
      assert.deepEqual(complaints, [], path);
    }
    await page.goto(`${PAGE}/${tree}`);
    const size = await scriptSize(page);
    assert.ok(size > 0 && size <= BUDGET_BYTES, `${size} bytes of script`);
  },
);
