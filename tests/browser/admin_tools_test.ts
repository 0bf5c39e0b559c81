import assert from "node:assert/strict";
import { adminTest } from "./admin_cast.ts";
import { assertAccessible, sidewaysScroll } from "./helpers.ts";
import { whenLive } from "./live.ts";

adminTest("the effect of a permission is previewed, and its change explained and reverted", async (cast) => {
  const { id } = await cast.call("owner", "POST /channels/create", {
    name: "roof",
    subscribers: [cast.people.owner.id],
  });
  const path = `/admin/channels/${id}`;
  const { page, complaints } = await cast.visitAs("owner", path, { bypassCSP: true });
  await whenLive(page);
  await page.getByText("Send messages", { exact: true }).click();
  await page.locator("#can_send_message_group").selectOption({ label: "Moderators" });
  const effect = page.getByRole("region", { name: "Effect of this change" });
  await effect.getByText("2 users lose it: Dilip and Enno.").waitFor();
  await assertAccessible(page);
  await page.getByRole("button", { name: "Save permissions" }).click();
  await page.locator("#flash").waitFor();

  await page.goto(`/admin/users/${cast.people.member.id}/permissions?channel=${id}`);
  const row = page.getByRole("row").filter({ hasText: "Send messages" });
  await row.getByText("Allowed: Moderators").waitFor();
  await assertAccessible(page);
  await page.setViewportSize({ width: 390, height: 800 });
  assert.equal(await sidewaysScroll(page), 0);

  await page.goto("/admin/audit");
  await whenLive(page);
  await page.getByRole("link", { name: "Revert", exact: false }).first().click();
  const dialog = page.getByRole("dialog", { name: "Revert this change?" });
  await dialog.getByRole("row").filter({ hasText: "Send messages" }).getByText("Everyone").waitFor();
  await assertAccessible(page);
  assert.equal(await sidewaysScroll(page), 0);
  await dialog.getByRole("button", { name: "Revert change" }).click();
  await page.getByText("Change reverted.").waitFor();
  await whenLive(page);
  await page.getByRole("link", { name: "Reverts an earlier change" }).click();
  await page.getByText("reverted this change on", { exact: false }).waitFor();
  assert.deepEqual(complaints, []);
});
