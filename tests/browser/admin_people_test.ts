import assert from "node:assert/strict";
import { adminTest } from "./admin_cast.ts";
import { assertAccessible, COLOR_SCHEMES, sidewaysScroll, waitForState } from "./helpers.ts";

adminTest("people and groups are found, chosen and removed with the keyboard", async (cast) => {
  const { group_id } = await cast.call("owner", "POST /user_groups/create", {
    name: "hive",
    description: "",
    members: [],
  });
  for (const colorScheme of COLOR_SCHEMES) {
    const { page, complaints } = await cast.visitAs("owner", `/admin/groups/${group_id}`, {
      colorScheme,
      bypassCSP: true,
    });
    const field = page.getByRole("combobox", { name: "Add members", exact: true });
    await field.focus();
    await page.keyboard.type("il");
    const options = page.locator("[data-people] [role=option]");
    await options.first().waitFor();
    assert.deepEqual(await options.allInnerTexts(), ["Dilip\nMember · dilip@example.com"]);
    assert.equal(await field.getAttribute("aria-expanded"), "true");
    await assertAccessible(page);
    await page.setViewportSize({ width: 320, height: 700 });
    assert.equal(await sidewaysScroll(page), 0);
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Remove Dilip" }).waitFor();
    await page.keyboard.type("example.com");
    await waitForState(() => options.count(), 5);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowUp");
    assert.match(await page.locator("[data-people] [aria-selected=true]").innerText(), /^Enno/);
    await page.keyboard.press("Escape");
    assert.equal(await options.count(), 0);
    await field.fill("");
    await page.keyboard.press("Backspace");
    await page.getByRole("button", { name: "Remove Dilip" }).waitFor({ state: "detached" });
    await page.keyboard.type("nobody known");
    await page.getByText("No matches").first().waitFor();
    await field.fill("");
    assert.deepEqual(complaints, []);
    await page.context().close();
  }
});

adminTest("a part of a name is chosen among its matches without JavaScript", async (cast) => {
  const { group_id } = await cast.call("owner", "POST /user_groups/create", {
    name: "hive",
    description: "",
    members: [],
  });
  const { page } = await cast.visitAs("owner", `/admin/groups/${group_id}`, { javaScriptEnabled: false });
  await page.getByRole("textbox", { name: "Add members" }).fill("a");
  await page.getByRole("button", { name: "Add members" }).click();
  await page.getByRole("checkbox", { name: /^Ada/ }).check();
  await page.getByRole("checkbox", { name: /^Bela/ }).check();
  await page.getByRole("button", { name: "Add members" }).click();
  await page.getByText("2 people added to hive.").waitFor();
});
