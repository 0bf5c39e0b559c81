import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { adminTest } from "./admin_cast.ts";
import { waitForState } from "./helpers.ts";
import { whenLoaded } from "./live.ts";
import { assertRendersWell } from "./rendering.ts";

const PAGE = "/admin/organization";
const PAGES = [PAGE, `${PAGE}/permissions`, `${PAGE}/emoji`, `${PAGE}/status`, `${PAGE}/deactivate`];
const PICTURE = Uint8Array.fromBase64(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
);
const picture = (bytes = PICTURE) => ({
  name: "picture.png",
  mimeType: "image/png",
  buffer: Buffer.from(bytes),
});

adminTest("the organization's settings are changed one section at a time", async (cast) => {
  const { page, complaints } = await cast.visitAs("owner", PAGE);
  const save = (name: string) => whenLoaded(page, () => page.getByRole("button", { name }).click());
  const profile = page.getByRole("region", { name: "Profile" });
  await profile.getByLabel("Name", { exact: true }).fill("Orchard");
  await profile.getByLabel("Description").fill("d".repeat(900));
  await page.getByText("100 characters left").waitFor();
  await save("Save profile");
  await page.getByText("Settings saved.").waitFor();
  await page.getByLabel("Waiting period in days").fill("soon");
  await save("Save joining settings");
  await page.getByText("Enter a whole number of days from 0 to 36,500.").waitFor();
  assert.equal(await page.getByLabel("Waiting period in days").inputValue(), "soon");
  await page.getByLabel("Waiting period in days").fill("3");
  await save("Save joining settings");
  await page.getByText("Settings saved.").waitFor();
  const time = page.getByLabel("Duration for editing");
  assert.equal(await time.isVisible(), false);
  await page.getByLabel("Time limit for editing messages").selectOption("Custom…");
  await time.fill("2");
  await page.getByLabel("Unit for editing").selectOption("days");
  await page.getByLabel("Time limit for deleting own messages").selectOption("Custom…");
  await page.getByLabel("Duration for deleting").fill("3");
  await page.getByLabel("Unit for deleting").selectOption("hours");
  await save("Save message settings");
  await page.getByText("Settings saved.").waitFor();
  assert.equal(await page.getByLabel("Duration for editing").inputValue(), "2");
  const realm = await cast.call("owner", "POST /register", { event_types: ["realm"] });
  assert.deepEqual([
    realm["realm_name"],
    realm["realm_waiting_period_threshold"],
    realm["realm_message_content_edit_limit_seconds"],
    realm["realm_message_content_delete_limit_seconds"],
  ], ["Orchard", 3, 172_800, 10_800]);
  assert.deepEqual(complaints, []);
});

adminTest("the keyboard alone adds and removes domains", async (cast) => {
  const { page, complaints } = await cast.visitAs("owner", PAGE);
  await page.getByLabel("Domain", { exact: true }).focus();
  await page.keyboard.type("garden.example");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Space");
  await page.keyboard.press("Enter");
  const row = page.getByRole("row", { name: /garden\.example/ });
  await row.getByText("included", { exact: true }).waitFor();
  await row.getByRole("button").focus();
  await page.keyboard.press("Enter");
  await row.getByText("not included").waitFor();
  await row.getByRole("link", { name: /^Remove/ }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Remove garden.example?" }).waitFor();
  await page.getByRole("button", { name: "Remove domain" }).focus();
  await page.keyboard.press("Enter");
  await page.getByText("There are no domains yet.").waitFor();
  assert.deepEqual(complaints, []);
});

adminTest("the welcome message is previewed while it is edited", async (cast) => {
  const { page, complaints } = await cast.visitAs("admin", PAGE);
  const preview = page.getByRole("region", { name: "Preview" });
  await page.getByLabel("Welcome message").fill("**Hello**");
  await page.getByRole("button", { name: "Show preview" }).click();
  await preview.locator("strong", { hasText: "Hello" }).waitFor();
  await page.getByLabel("Welcome message").fill("* one\n* two");
  await preview.getByRole("listitem").nth(1).waitFor();
  await page.getByLabel("Welcome message").fill("");
  await preview.getByText("No message is sent.").waitFor();
  await page.getByLabel("Welcome message").fill("See [this](https://example.com)");
  await page.getByRole("button", { name: "Save welcome message" }).click();
  await page.getByText("Settings saved.").waitFor();
  assert.deepEqual(complaints, []);
});

adminTest("an administrator changes who holds a permission", async (cast) => {
  const { page, complaints } = await cast.visitAs("owner", `${PAGE}/permissions`);
  await page.getByText("Create groups", { exact: true }).click();
  await page.locator("#can_create_groups").selectOption({ label: "Administrators" });
  await page.getByRole("button", { name: "Save group permissions" }).click();
  await page.getByText("Permissions saved.").waitFor();
  const { page: other } = await cast.visitAs("admin", `${PAGE}/permissions`);
  await other.getByText("Only owners can change these:").first().waitFor();
  assert.equal(await other.locator("#can_create_groups").count(), 0);
  assert.deepEqual(complaints, []);
});

adminTest("an emoji is added, refused and deactivated", async (cast) => {
  const { page, complaints } = await cast.visitAs("admin", `${PAGE}/emoji`);
  const add = () => page.getByRole("button", { name: "Add emoji" }).click();
  await page.getByLabel("Name").fill("sunny");
  await add();
  await page.getByText("Choose a picture.").waitFor();
  assert.equal(await page.getByLabel("Name").inputValue(), "sunny");
  await page.getByLabel("Picture").setInputFiles(picture());
  await add();
  await page.getByText("Emoji :sunny: added.").waitFor();
  const row = page.getByRole("row", { name: /sunny/ });
  await waitForState(() => row.locator("img").evaluate((image) => Reflect.get(image, "naturalWidth")), 64);
  await page.getByLabel("Name").fill("large");
  await page.getByLabel("Picture").setInputFiles(picture(new Uint8Array(7 * 1024 * 1024)));
  await add();
  await page.getByText("larger than the allowed limit of 5 MiB").waitFor();
  await row.getByRole("link", { name: /^Deactivate/ }).click();
  await page.getByRole("button", { name: "Deactivate emoji" }).click();
  await page.getByText("Emoji :sunny: deactivated.").waitFor();
  assert.deepEqual(complaints, []);
});

adminTest("an owner requests a test mail and deactivates the organization", async (cast) => {
  const { page, complaints } = await cast.visitAs("owner", `${PAGE}/status`);
  await page.getByRole("button", { name: "Send test email" }).click();
  await page.getByText("written to a file in data/mail").waitFor();
  await page.goto(PAGE);
  await page.getByRole("link", { name: "Deactivate organization" }).click();
  await page.getByLabel("Type Gardeners to confirm").fill("Gardener");
  await page.keyboard.press("Enter");
  await page.getByText("Type Gardeners exactly as shown.").waitFor();
  await page.getByLabel("Type Gardeners to confirm").fill("Gardeners");
  await page.getByRole("button", { name: "Deactivate organization" }).click();
  await page.waitForURL("**/login");
  const other = await cast.visitAs("admin", PAGE).catch(() => null);
  assert.match(other?.page.url() ?? "/login", /\/login/);
  assert.deepEqual(complaints, []);
});

adminTest("every page of the organization is accessible and never scrolls sideways", async (cast) => {
  const long = `a${"-very-long-name".repeat(3)}.example`;
  await cast.call("owner", "POST /realm/domains", { domain: long, allow_subdomains: true });
  for (const part of ["owner", "admin"] as const) {
    const { page, complaints } = await cast.visitAs(part, PAGE, { bypassCSP: true });
    for (const path of PAGES) {
      await page.goto(path);
      await page.locator("main details").evaluateAll((all) =>
        all.forEach((one) => one.setAttribute("open", ""))
      );
      await assertRendersWell(page, path);
      assert.deepEqual(complaints, [], path);
    }
  }
});

adminTest("the settings work without JavaScript", async (cast) => {
  const { page } = await cast.visitAs("owner", PAGE, { javaScriptEnabled: false });
  await page.getByLabel("Welcome message").fill("**Hello**");
  await page.getByRole("button", { name: "Show preview" }).click();
  await page.locator("strong", { hasText: "Hello" }).waitFor();
  assert.equal(await page.getByLabel("Welcome message").inputValue(), "**Hello**");
  await page.getByRole("button", { name: "Save welcome message" }).click();
  await page.getByText("Settings saved.").waitFor();
  await page.getByLabel("Time limit for editing messages").selectOption("Custom…");
  await page.getByLabel("Duration for editing").fill("5");
  await whenLoaded(page, () => page.getByRole("button", { name: "Save message settings" }).click());
  await page.getByText("Settings saved.").waitFor();
  await page.goto(`${PAGE}/emoji`);
  await page.getByLabel("Name").fill("plain");
  await page.getByLabel("Picture").setInputFiles(picture());
  await page.getByRole("button", { name: "Add emoji" }).click();
  await page.getByText("Emoji :plain: added.").waitFor();
});
