import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { adminTest, PASSWORD } from "./admin_cast.ts";
import { whenLive } from "./live.ts";
import { assertRendersWell } from "./rendering.ts";

const STATUS = "main p[role=status]";

/** Returns the path of the page without its origin. */
function pathOf(page: Page): string {
  const { pathname, search } = new URL(page.url());
  return pathname + search;
}

adminTest(
  "an account is created, changed, deactivated and reactivated, and the audit log records it",
  async (cast) => {
    const { page, complaints } = await cast.visitAs("owner", "/admin/users");
    await page.getByRole("link", { name: "Create user" }).click();
    await page.getByLabel("Full name").fill("Farouk al-Hassan");
    await page.getByLabel("Email address").fill("farouk@example.com");
    await page.getByLabel("Password").fill("password");
    await page.getByRole("button", { name: /^Show ?: Password$/ }).click();
    assert.equal(await page.getByLabel("Password").getAttribute("type"), "text");
    await page.getByRole("button", { name: "Create user" }).click();
    await page.getByText("This password is on lists of common passwords.").waitFor();
    assert.equal(await page.getByLabel("Full name").inputValue(), "Farouk al-Hassan");
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Create user" }).click();
    await page.locator(STATUS).getByText("User Farouk al-Hassan created.").waitFor();
    await page.getByLabel("Role").selectOption("Moderator");
    await page.getByRole("button", { name: "Save" }).click();
    await page.locator(STATUS).getByText("Farouk al-Hassan saved.").waitFor();
    await page.getByRole("link", { name: /^Deactivate user/ }).click();
    await page.getByRole("heading", { name: "Deactivate Farouk al-Hassan?" }).waitFor();
    await page.getByRole("button", { name: "Deactivate" }).click();
    await page.locator(STATUS).getByText("Farouk al-Hassan deactivated.").waitFor();
    await page.getByRole("button", { name: "Reactivate user" }).click();
    await page.locator(STATUS).getByText("Farouk al-Hassan reactivated.").waitFor();
    await page.goto("/admin/audit?kind=user");
    const rows = page.getByRole("row").filter({ hasText: "Farouk al-Hassan" });
    assert.deepEqual((await rows.getByRole("rowheader").allInnerTexts()).map((text) => text.split("\n")[0]), [
      "Reactivated Farouk al-Hassan",
      "Deactivated Farouk al-Hassan",
      "Changed the role of Farouk al-Hassan",
      "Created the account of Farouk al-Hassan",
    ]);
    await rows.first().getByRole("link", { name: "Farouk al-Hassan", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Farouk al-Hassan" }).waitFor();
    assert.deepEqual(complaints, []);
  },
);

adminTest("a list is filtered while its search is typed, with what belongs to it", async (cast) => {
  const { page, complaints } = await cast.visitAs("admin", "/admin/users");
  const all = page.getByRole("button", { name: /^Change (all )?\d+ users?$/ });
  const before = await all.innerText();
  const field = page.getByLabel("Search by name or email address");
  await page.getByRole("checkbox", { name: "Select Bela" }).check();
  await page.getByText("1 selected").waitFor();
  await field.pressSequentially("dil");
  await page.getByRole("button", { name: "Change 1 user" }).waitFor();
  assert.deepEqual(await page.getByRole("rowheader").allInnerTexts(), ["Dilip"]);
  assert.equal(await page.getByText("1 selected").count(), 0, "the selected row is gone");
  assert.equal(pathOf(page), "/admin/users?q=dil&role=any&activity=any");
  assert.equal(await field.evaluate((element) => element === document.activeElement), true);
  const file = page.getByRole("link", { name: "Export CSV" });
  assert.equal(await file.getAttribute("href"), "/admin/users/export?q=dil");

  await field.pressSequentially("zz");
  await page.getByText("No users match.").waitFor();
  assert.equal(await all.isVisible(), false);
  await field.fill("");
  await page.getByRole("button", { name: before }).waitFor();
  assert.deepEqual(complaints, []);
});

adminTest(
  "a field that names one thing, and a search without a table, wait for their button",
  async (cast) => {
    const { page, complaints } = await cast.visitAs("owner", "/admin");
    const asked: string[] = [];
    page.on("request", (request) => {
      if (request.resourceType() === "fetch") asked.push(request.url());
    });
    await page.clock.install();
    const pages = [
      ["/admin/organization/permissions/who?permission=realm.can_invite_users_group", "Channel or group"],
      ["/admin/find?q=theme", "Search"],
    ] as const;
    for (const [path, label] of pages) {
      await page.goto(path);
      await whenLive(page);
      await page.getByLabel(label, { exact: true }).pressSequentially("x");
      await page.clock.runFor(1000);
    }
    assert.deepEqual(asked, []);
    assert.deepEqual(complaints, []);
  },
);

adminTest("the user list is searched, sorted and read with the keyboard alone", async (cast) => {
  const { page } = await cast.visitAs("admin", "/admin/users");
  await page.getByLabel("Search by name or email address").focus();
  await page.keyboard.type("dil");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/admin/users?q=dil&role=any&activity=any#list");
  assert.deepEqual(await page.getByRole("rowheader").allInnerTexts(), ["Dilip"]);
  await page.getByRole("columnheader", { name: "Name" }).getByRole("link").focus();
  await page.keyboard.press("Enter");
  await page.waitForURL("**/admin/users?q=dil&order=descending#list");
  assert.equal(
    await page.getByRole("columnheader", { name: "Name" }).getAttribute("aria-sort"),
    "descending",
  );
  await page.getByRole("link", { name: "Dilip" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Dilip" }).waitFor();
  assert.equal(pathOf(page), `/admin/users/${cast.people.member.id}`);
});

adminTest(
  "an administrator resets a key and ends sessions without JavaScript, except an owner's",
  async (cast) => {
    const { member, owner } = cast.people;
    await cast.sessionOf("member");
    await cast.sessionOf("owner");
    const { page } = await cast.visitAs("admin", `/admin/users/${member.id}`, { javaScriptEnabled: false });
    await page.getByRole("button", { name: "End all sessions" }).click();
    await page.locator(STATUS).getByText("All sessions of Dilip ended.").waitFor();
    await page.getByRole("link", { name: /^Reset API key/ }).click();
    await page.getByRole("button", { name: "Reset API key" }).click();
    await page.locator(STATUS).getByText("API key of Dilip reset.").waitFor();
    await page.goto(`/admin/users/${owner.id}`);
    await page.getByText("Only owners can change an owner.").waitFor();
    assert.equal(await page.getByRole("button", { name: "Save" }).count(), 0);
    assert.equal(await page.getByRole("link", { name: /Deactivate/ }).count(), 0);
  },
);

adminTest("the user pages and the audit log are accessible and fit every screen", async (cast) => {
  const { member, owner } = cast.people;
  const bot = await cast.call("member", "POST /bots", { full_name: "Weather", short_name: "weather" });
  await cast.call("owner", "POST /channels/create", {
    name: "a-long-name-that-could-push-a-page-wider-than-a-telephone",
    subscribers: [member.id],
  });
  const paths = ["/admin/users", "/admin/users?tab=bots", "/admin/users?q=nobody", "/admin/users/new"];
  const own = [member.id, owner.id, bot.user_id].map((id) => `/admin/users/${id}`);
  const asking = [`/admin/users/${member.id}/deactivate`, `/admin/users/${member.id}/reset-key`];
  const { page, complaints } = await cast.visitAs("owner", "/admin/users", { bypassCSP: true });
  for (const path of [...paths, ...own, ...asking, "/admin/audit", "/admin/audit?kind=emoji"]) {
    await page.goto(path);
    await assertRendersWell(page, path);
    assert.deepEqual(complaints, [], path);
  }
});
