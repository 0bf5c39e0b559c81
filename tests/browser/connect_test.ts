import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import PostalMime from "postal-mime";
import { waitFor } from "@/tests/helpers/wait.ts";
import { adminTest } from "./admin_cast.ts";
import { browserTest, setupPath, type Site, visit, waitForState } from "./helpers.ts";
import { assertRendersWell } from "./rendering.ts";

const PASSWORD = "violet kettle seldom 42";
const mailDir = await Deno.makeTempDir({ prefix: "sotto-connect-" });
Deno.test.afterAll(() => Deno.remove(mailDir, { recursive: true }));

/** Sets the server up as its owner; the page that follows stays open. */
async function setUp(page: Page): Promise<void> {
  await page.getByLabel("Organization name").fill("Gardeners");
  await page.getByLabel("Your name").fill("Ada Green");
  await page.getByLabel("Your email address").fill("ada@example.com");
  await page.getByLabel("Your password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Create organization" }).click();
  await page.waitForURL("**/admin");
}

/** Joins by a link, through the mail to the address where the link asks to confirm it. */
async function join(site: Site, path: string): Promise<Page> {
  const { page } = await visit(site, path);
  await page.locator("[name=email]").fill("noor@example.com");
  if (await page.locator("[name=password]").count() === 0) {
    await page.keyboard.press("Enter");
    await page.goto(await mailedPath());
  }
  await page.locator("[name=full_name]").fill("Noor Lake");
  await page.locator("[name=password]").fill(PASSWORD);
  await page.locator("[name=password]").press("Enter");
  await page.waitForURL(/\/(account|connect)/);
  return page;
}

/** Returns the path of the link in the first mail. */
async function mailedPath(): Promise<string> {
  return await waitFor("a mail with a link is written", async () => {
    const [file] = [...Deno.readDirSync(mailDir)].filter(({ name }) => name.endsWith(".eml"));
    if (file === undefined) return "";
    const { text = "" } = await PostalMime.parse(await Deno.readFile(`${mailDir}/${file.name}`));
    return /https?:\/\/[^/\s]+(\/join\/\S+)/.exec(text)?.[1] ?? "";
  });
}

browserTest("from the set-up link to the first message of a second person", async (site) => {
  const { page, complaints } = await visit(site, await setupPath(site));
  await setUp(page);
  await page.getByRole("link", { name: "Create channel", exact: true }).click();
  await page.getByLabel("Name", { exact: true }).fill("garden");
  await page.getByRole("button", { name: "Create channel" }).click();
  await page.waitForURL("**/admin/channels/1");
  await page.goto("/admin");
  await page.getByText("1 of 6 done").waitFor();
  await page.getByRole("link", { name: "Invite people", exact: true }).click();
  await page.getByRole("button", { name: "Create link" }).click();
  await page.getByRole("heading", { name: "Waiting for the first person" }).waitFor();
  await page.getByRole("img", { name: "QR code of the link" }).waitFor();
  const link = await page.locator("code").first().innerText();
  const other = await join(site, new URL(link).pathname);
  await page.getByRole("link", { name: "Noor Lake joined" }).waitFor();
  await page.getByRole("heading", { name: "Users who joined" }).waitFor();
  assert.equal(await page.getByText("nobody joined yet").count(), 0);
  await page.getByRole("link", { name: "Connect an app", exact: true }).click();
  await page.waitForURL("**/connect");
  await page.getByLabel("Channel").selectOption("#garden");
  await other.goto("/connect?joined=1");
  await other.getByRole("heading", { name: "Welcome to Gardeners" }).waitFor();
  await other.getByRole("button", { name: "Send message" }).click();
  await other.getByText("Message sent to #garden.").waitFor();
  assert.deepEqual(complaints, []);
}, { MAIL_DIR: mailDir });

adminTest("the page works without JavaScript, and shows the key in the steps", async (cast) => {
  await cast.call("owner", "POST /channels/create", { name: "garden", subscribers: [cast.people.guest.id] });
  const { page, complaints } = await cast.visitAs("guest", "/connect", { javaScriptEnabled: false });
  assert.equal(await page.getByRole("button", { name: "Copy address" }).count(), 0);
  await page.getByRole("textbox", { name: "Message" }).fill(" ");
  await page.getByRole("button", { name: "Send message" }).click();
  await page.getByText("Message must not be empty").waitFor();
  await page.getByRole("textbox", { name: "Message" }).fill("Hello");
  await page.getByRole("button", { name: "Send message" }).click();
  await page.getByText("Message sent to #garden.").waitFor();
  await page.getByLabel("Your password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Show API key" }).click();
  const key = await page.getByLabel("Your API key").inputValue();
  await page.getByText("Command line with curl").click();
  await page.getByText(`:${key} ${cast.site.baseUrl}/api/v1/messages`).waitFor();
  assert.deepEqual(complaints, []);
});

adminTest("the address and the steps are copied", async (cast) => {
  const { page, complaints } = await cast.visitAs("member", "/connect", {
    permissions: ["clipboard-read", "clipboard-write"],
  });
  await page.getByRole("button", { name: "Copy address" }).click();
  await page.getByText("Address copied").waitFor();
  await waitForState(() => page.evaluate(() => navigator.clipboard.readText()), cast.site.baseUrl);
  assert.deepEqual(complaints, []);
});

adminTest("the page, a document and the strip are accessible and fit every screen", async (cast) => {
  await cast.call("owner", "POST /channels/create", { name: "garden", subscribers: [cast.people.owner.id] });
  const { page } = await cast.visitAs("owner", "/connect?joined=1", { bypassCSP: true });
  await assertRendersWell(page, "connect");
  await page.getByText("Generated clients").click();
  await assertRendersWell(page, "connect-steps");
  await page.goto("/docs/clients");
  await assertRendersWell(page, "document");
  await page.goto("/admin");
  await page.getByText("All steps").click();
  await assertRendersWell(page, "strip");
  await cast.call("owner", "POST /invites/multiuse", { stream_ids: [] });
  await page.goto("/admin/invitations/link/1");
  await assertRendersWell(page, "waiting");
});
