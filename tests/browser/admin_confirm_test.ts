import assert from "node:assert/strict";
import { adminTest } from "./admin_cast.ts";
import { assertAccessible, sidewaysScroll, waitForState } from "./helpers.ts";
import { whenLive } from "./live.ts";

adminTest("a destructive action is confirmed in a dialog, keeps the place, and is undone", async (cast) => {
  const { id } = await cast.call("owner", "POST /channels/create", { name: "roof", subscribers: [] });
  const path = `/admin/channels/${id}`;
  const { page, complaints } = await cast.visitAs("owner", path, { bypassCSP: true });
  const link = page.getByRole("link", { name: "Archive channel" });
  await link.click();
  const dialog = page.getByRole("dialog", { name: "Archive #roof?" });
  await dialog.waitFor();
  assert.equal(new URL(page.url()).pathname, path);
  await assertAccessible(page);
  await dialog.locator("a:focus", { hasText: "Cancel" }).waitFor();
  await dialog.getByRole("link", { name: "Cancel" }).click();
  await dialog.waitFor({ state: "detached" });
  assert.equal(await link.evaluate((one) => one === document.activeElement), true);
  await link.click();
  await dialog.getByRole("button", { name: "Archive #roof" }).click();
  await page.getByText("Channel roof archived.").waitFor();
  await whenLive(page);
  const bar = page.locator("#flash");
  const isOnScreen = await bar.evaluate((one) => {
    const { top, bottom } = one.getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  });
  assert.ok(isOnScreen);
  await assertAccessible(page);
  await bar.getByRole("button", { name: "Undo" }).click();
  await page.getByText("Channel roof restored.").waitFor();
  await whenLive(page);
  await bar.getByRole("button", { name: "Close" }).click();
  await bar.waitFor({ state: "detached" });
  assert.deepEqual(complaints, []);
});

adminTest("revoking from a long list returns to the same part of it", async (cast) => {
  const invitee_emails = Array.from({ length: 30 }, (_, at) => `person${at}@example.org`).join(",");
  await cast.call("owner", "POST /invites", { invitee_emails, stream_ids: [] });
  const { page } = await cast.visitAs("owner", "/admin/invitations?sort=invited", {
    viewport: { width: 820, height: 800 },
  });
  assert.equal(await sidewaysScroll(page), 0);
  const row = page.getByRole("row").filter({ hasText: "person28@example.org" });
  await row.getByRole("link", { name: "Revoke" }).click();
  const top = await page.evaluate(() => scrollY);
  assert.ok(top > 400, `${top} pixels`);
  await page.getByRole("dialog").getByRole("button", { name: "Revoke invitation" }).click();
  await page.getByText("Invitation to person28@example.org revoked.").waitFor();
  assert.equal(new URL(page.url()).search, "?sort=invited");
  await waitForState(() => page.evaluate((top) => Math.abs(scrollY - top) < 200, top), true);
});
