import assert from "node:assert/strict";
import { adminTest } from "./admin_cast.ts";
import { Buffer } from "node:buffer";
import { assertAccessible, choosePeople, COLOR_SCHEMES, sidewaysScroll, waitForState } from "./helpers.ts";
import { assertRendersWell } from "./rendering.ts";

adminTest("people and groups are found, chosen and removed with the keyboard", async (cast) => {
  const { group_id } = await cast.call("owner", "POST /user_groups/create", {
    name: "hive",
    description: "",
    members: [],
  });
  const { page, complaints } = await cast.visitAs("owner", `/admin/groups/${group_id}`, { bypassCSP: true });
  const field = page.getByRole("combobox", { name: "Add members", exact: true });
  await field.focus();
  await page.keyboard.type("il");
  const options = page.locator("[data-people] [role=option]");
  await waitForState(() => options.allInnerTexts(), ["Dilip\nMember · dilip@example.com"]);
  await waitForState(() => field.getAttribute("aria-expanded"), "true");
  for (const colorScheme of COLOR_SCHEMES) {
    await page.emulateMedia({ colorScheme });
    await assertAccessible(page);
  }
  await page.setViewportSize({ width: 320, height: 700 });
  assert.equal(await sidewaysScroll(page), 0);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Remove Dilip" }).waitFor();
  await page.keyboard.type("example.com");
  await waitForState(() => options.count(), 5);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  await page.locator("[data-people] [aria-selected=true]").filter({ hasText: /^Enno/ }).waitFor();
  await page.keyboard.press("Escape");
  await waitForState(() => options.count(), 0);
  await field.fill("");
  await page.keyboard.press("Backspace");
  await page.getByRole("button", { name: "Remove Dilip" }).waitFor({ state: "detached" });
  await page.keyboard.type("nobody known");
  await page.getByText("No matches").first().waitFor();
  await field.fill("");
  assert.deepEqual(complaints, []);
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

adminTest("selected users are changed and users are imported, with their progress", async (cast) => {
  const { page, complaints } = await cast.visitAs("owner", "/admin/users?sort=role");
  await page.getByLabel("Select Dilip").check();
  await page.getByLabel("Select Enno").check();
  await page.getByText("2 selected").waitFor();
  const change = page.getByRole("button", { name: "Change selected" });
  await page.setViewportSize({ width: 1280, height: 420 });
  const isInView = () =>
    change.evaluate((button) => {
      scrollTo(0, 0);
      return button.getBoundingClientRect().bottom <= innerHeight;
    });
  await waitForState(isInView, true);
  await page.getByLabel("Select Dilip").uncheck();
  await page.getByLabel("Select Enno").uncheck();
  await waitForState(isInView, false);
  await page.getByLabel("Select Dilip").check();
  await page.getByLabel("Select Enno").check();
  await change.click();
  await page.getByRole("heading", { level: 1, name: "Change 2 users" }).waitFor();
  await page.getByLabel("Change", { exact: true }).selectOption("Change role");
  await page.getByLabel("New role").selectOption("Moderator");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("button", { name: "Change 2 users to Moderator" }).click();
  await page.getByText("2 users processed.", { exact: true }).waitFor();
  await page.goto("/admin/users?role=moderator");
  assert.deepEqual(await page.getByRole("rowheader").allInnerTexts(), ["Cora", "Dilip", "Enno"]);
  await page.getByLabel("Select all on this page").check();
  await page.getByText("3 selected").waitFor();
  await page.getByRole("link", { name: "Import users" }).click();
  const rows = Array.from({ length: 30 }, (_, at) => `p${at}@example.com,Person ${at}`);
  const buffer = new TextEncoder().encode(["email,full_name", ...rows].join("\n"));
  await page.getByLabel("CSV file").setInputFiles({
    name: "users.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(buffer),
  });
  await page.getByRole("button", { name: "Preview" }).click();
  await page.getByText("and 10 others").waitFor();
  await page.getByRole("button", { name: "Create 30 users" }).click();
  await page.getByText("30 users processed.", { exact: true }).waitFor();
  assert.deepEqual(complaints, []);
});

adminTest("a bot is created, and its key is copied and downloaded", async (cast) => {
  const { page, complaints } = await cast.visitAs("owner", "/admin/bots/new", { acceptDownloads: true });
  await page.getByLabel("Full name").fill("Weather");
  await page.getByLabel("User name").fill("weather");
  await page.getByRole("button", { name: "Create bot" }).click();
  await page.getByRole("button", { name: "Show API key" }).click();
  const key = await page.getByRole("textbox", { name: "API key" }).inputValue();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Download configuration file" }).click(),
  ]);
  assert.ok((await Deno.readTextFile(await download.path())).includes(`key=${key}`));
  await page.getByRole("link", { name: "Weather" }).click();
  await page.getByRole("button", { name: "Remove Ada" }).click();
  await choosePeople(page, "Owner", ["Bela"]);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Weather saved.").waitFor();
  await page.getByText("Owner: Bela").waitFor();
  assert.deepEqual(complaints, []);
});

adminTest("the pages of users, bots and bulk actions are accessible and fit every screen", async (cast) => {
  const { user_id } = await cast.call("owner", "POST /bots", { full_name: "Weather", short_name: "weather" });
  await cast.call("owner", "POST /realm/profile_fields", { field_type: 1, name: "City" });
  const select = `user=${cast.people.member.id}&user=${cast.people.guest.id}`;
  const channel = await cast.call("owner", "POST /channels/create", {
    name: "roof",
    subscribers: Object.values(cast.people).map(({ id }) => id),
  });
  const paths = [
    "/admin/users",
    "/admin/users/import",
    `/admin/users/${cast.people.member.id}`,
    `/admin/users/${user_id}`,
    "/admin/bots/new",
    `/admin/bots/${user_id}/key`,
    `/admin/bulk-actions/new?${select}`,
    `/admin/bulk-actions/confirm?${select}&what=deactivate`,
    `/admin/channels/${channel.id}`,
  ];
  const { page, complaints } = await cast.visitAs("owner", "/admin/users", { bypassCSP: true });
  for (const path of paths) {
    await page.goto(path);
    await assertRendersWell(page, path);
    assert.deepEqual(complaints, [], path);
  }
});

adminTest("webhooks are tested on their pages, which are accessible and fit every screen", async (cast) => {
  const incoming = { full_name: "Builds", short_name: "builds", bot_type: 2 };
  const { user_id } = await cast.call("owner", "POST /bots", incoming);
  const outgoing = { ...incoming, full_name: "Echo", short_name: "echo", bot_type: 3 };
  const address = { payload_url: "https://hook.invalid/" };
  const echo = await cast.call("owner", "POST /bots", { ...outgoing, ...address });
  const { page, complaints } = await cast.visitAs("owner", `/admin/users/${user_id}`, { bypassCSP: true });
  await page.getByRole("link", { name: "Show URL and test" }).click();
  await page.getByRole("button", { name: "Send a test" }).click();
  await page.getByText("This is a test of the webhook, sent by Ada").waitFor();
  await page.getByRole("button", { name: "Show URL with key" }).click();
  await page.getByRole("button", { name: "Copy URL" }).waitFor();
  assert.match(
    await page.getByRole("textbox", { name: "Webhook URL" }).inputValue(),
    /api_key=[A-Za-z0-9]{32}$/,
  );
  await assertRendersWell(page, "an incoming webhook");
  await page.goto(`/admin/bots/${echo.user_id}/webhook`);
  await page.getByRole("button", { name: "Send a test delivery" }).click();
  await page.getByText("The host name has no public address.").waitFor();
  await assertRendersWell(page, "an outgoing webhook");
  assert.deepEqual(complaints, []);
});
