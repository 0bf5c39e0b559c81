import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { type AdminCast, adminTest } from "./admin_cast.ts";
import { choosePeople } from "./helpers.ts";
import { assertFits, assertRendersWell } from "./rendering.ts";

const PAGE = "/admin/groups";

/** Creates a group that a channel uses, with all users as members. */
async function createGroup({ call, people }: AdminCast): Promise<number> {
  const { group_id } = await call("owner", "POST /user_groups/create", {
    name: "gardeners",
    description: `Those who water: ${"unbreakable".repeat(30)}`,
    members: Object.values(people).map(({ id }) => id),
  });
  await call("owner", "POST /channels/create", {
    name: "garden",
    subscribers: [],
    can_send_message_group: group_id,
  });
  return group_id;
}

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

adminTest(
  "an administrator creates, fills, empties, nests, deactivates and reactivates a group",
  async (cast) => {
    await createGroup(cast);
    const { page, complaints } = await cast.visitAs("owner", PAGE);
    await page.getByRole("link", { name: "Create group" }).click();
    await page.getByLabel("Name").fill("hive");
    await choosePeople(page, "People", ["Dilip"]);
    await page.getByRole("checkbox", { name: "gardeners" }).first().check();
    await press(page, "Create group");
    await page.getByText("Group hive created.").waitFor();
    await page.getByText("1 member · 5 including subgroups").waitFor();

    await choosePeople(page, "Add members", ["Cora", "enno@example.com"]);
    await press(page, "Add members");
    await page.getByText("2 people added to hive.").waitFor();
    await page.getByRole("checkbox", { name: "Select Cora" }).check();
    await press(page, "Remove selected members");
    await page.getByText("1 person removed from hive.").waitFor();
    await press(page, "Remove gardeners from this group");
    await page.getByText("gardeners removed from hive.").waitFor();
    await page.getByLabel("Add a subgroup").selectOption({ label: "gardeners" });
    await press(page, "Add subgroup");
    await page.getByText("gardeners added to hive.").waitFor();

    await page.getByText("Mention the group", { exact: true }).click();
    await page.getByLabel("Allowed: Mention the group").selectOption({ label: "Moderators" });
    await press(page, "Save permissions");
    await page.getByText("Permissions of hive saved.").waitFor();

    await page.getByRole("link", { name: "Deactivate group" }).click();
    await press(page, "Deactivate group");
    await page.getByText("Group hive deactivated.").waitFor();
    await press(page, "Reactivate group");
    await page.getByText("Group hive reactivated.").waitFor();
    assert.deepEqual(complaints, []);
  },
);

adminTest("the page of a group in use links to its uses", async (cast) => {
  const id = await createGroup(cast);
  const { page, complaints } = await cast.visitAs("owner", `${PAGE}/${id}/deactivate`);
  assert.equal(await page.getByRole("button", { name: "Deactivate group" }).count(), 0);
  await page.getByRole("link", { name: "#garden" }).click();
  await page.waitForURL("**/admin/channels/*");
  await page.locator("summary").filter({ hasText: "Send messages" }).getByText("gardeners").waitFor();
  assert.deepEqual(complaints, []);
});

adminTest("the group pages are accessible and fit small screens and large text", async (cast) => {
  const id = await createGroup(cast);
  const { page, complaints } = await cast.visitAs("owner", PAGE, { bypassCSP: true });
  await assertRendersWell(page, PAGE);
  for (const path of [`${PAGE}/new`, `${PAGE}/${id}`, `${PAGE}/${id}/deactivate`]) {
    await page.goto(path);
    await page.evaluate(() => document.querySelectorAll("details").forEach((one) => one.open = true));
    await assertFits(page, path);
    const picker = page.locator("select[name=can_manage_group]");
    if (await picker.count() > 0) await picker.selectOption("custom");
    await assertRendersWell(page, path);
  }
  assert.deepEqual(complaints, []);
});
