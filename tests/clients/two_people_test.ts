import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import zulip from "zulip-js";
import { chromiumTest, setupPath, type Site, visit } from "@/tests/browser/helpers.ts";
import { installPythonPackages } from "@/tests/helpers/python.ts";
import { TestServer } from "@/tests/helpers/server.ts";
import { PACKAGES, readAliases } from "./client_stage.ts";
import { PythonLibrary } from "./python_library.ts";

const PASSWORD = "violet kettle seldom 42";

chromiumTest(
  "two people set up, join by a link without mail, and talk through two libraries",
  async (browser) => {
    const programs = await installPythonPackages(PACKAGES);
    await using server = await TestServer.start({ env: { COMPATIBILITY_ALIASES: await readAliases() } });
    const site: Site = { baseUrl: server.url, browser, printed: () => server.output };

    const { page: owner } = await visit(site, await setupPath(site));
    await setUp(owner);
    await owner.getByRole("link", { name: "Create channel", exact: true }).click();
    await owner.getByLabel("Name", { exact: true }).fill("garden");
    await owner.getByRole("button", { name: "Create channel" }).click();
    await owner.getByRole("link", { name: "Overview" }).first().click();
    await owner.getByRole("link", { name: "Invite people", exact: true }).click();
    await owner.getByRole("button", { name: "Create link" }).click();
    await owner.getByRole("heading", { name: "Waiting for the first person" }).waitFor();

    const { page: guest } = await visit(
      site,
      new URL(await owner.locator("code").first().innerText()).pathname,
    );
    await join(guest);
    await owner.getByRole("link", { name: "Noor Lake joined" }).waitFor();
    await owner.getByRole("link", { name: "Connect an app", exact: true }).click();

    const shown = {
      js: await showProgram(owner, "JavaScript library"),
      ini: await showProgram(guest, "Terminal client"),
    };
    const ada = await zulip({
      username: valueOf(shown.js, /username: "(.+)"/),
      apiKey: valueOf(shown.js, /apiKey: "(.+)"/),
      realm: valueOf(shown.js, /realm: "(.+)"/),
    });
    const welcome = await ada.messages.send({
      type: "stream",
      to: "garden",
      topic: "hello",
      content: "Welcome!",
    });
    assert.equal(welcome.result, "success", JSON.stringify(welcome));
    // Without Python there is no second library.
    if (programs === null) return;
    const config = `${server.folder}/zuliprc`;
    await Deno.writeTextFile(config, valueOf(shown.ini, /(\[api\][^]*?site=\S+)/), { mode: 0o600 });
    await using noor = new PythonLibrary({ server, programs, folder: server.folder }, { config });
    const { messages } = await noor.ok("get_messages", { anchor: "newest", num_before: 10, num_after: 0 });
    assert.deepEqual(
      messages.filter(({ id }: { id: number }) => id === welcome.id).map(({ content }: { content: string }) =>
        content
      ),
      ["<p>Welcome!</p>"],
    );
    const { id } = await noor.ok("send_message", {
      type: "stream",
      to: "garden",
      topic: "hello",
      content: "Thanks!",
    });
    const received = await ada.messages.retrieve({ anchor: "newest", num_before: 1, num_after: 0 });
    assert.deepEqual([received.messages.at(-1).id, received.messages.at(-1).content], [id, "<p>Thanks!</p>"]);
  },
);

async function setUp(page: Page): Promise<void> {
  await page.getByLabel("Organization name").fill("Gardeners");
  await page.getByLabel("Your name").fill("Ada Green");
  await page.getByLabel("Your email address").fill("ada@example.com");
  await page.getByLabel("Your password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Create organization" }).click();
  await page.waitForURL("**/admin");
}

async function join(page: Page): Promise<void> {
  await page.getByLabel("Your name").fill("Noor Lake");
  await page.getByLabel("Your email address").fill("noor@example.com");
  await page.getByLabel("Your password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Join" }).click();
  await page.getByRole("heading", { name: "Welcome to Gardeners" }).waitFor();
}

/** Shows the key on the page that connects an app, and returns the text of a program's steps. */
async function showProgram(page: Page, name: string): Promise<string> {
  await page.getByLabel("Your password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Show API key" }).click();
  await page.getByLabel("Your API key").waitFor();
  await page.getByText(name, { exact: true }).first().click();
  return await page.locator("details[open]").innerText();
}

function valueOf(text: string, pattern: RegExp): string {
  return pattern.exec(text)?.[1] ?? assert.fail(`${pattern} is not in ${text}`);
}
