import assert from "node:assert/strict";
import type { Browser, Page } from "playwright-core";
import zulip from "zulip-js";
import { chromiumTest, setupPath, type Site, visit } from "@/tests/browser/helpers.ts";
import { startSmtp } from "@/tests/casts/mail_cast.ts";
import { installPythonPackages } from "@/tests/helpers/python.ts";
import { TestServer } from "@/tests/helpers/server.ts";
import { waitFor } from "@/tests/helpers/wait.ts";
import { type Answer, PACKAGES, readAliases } from "./client_stage.ts";
import { PythonLibrary } from "./python_library.ts";

const PASSWORD = "violet kettle seldom 42";
const EMAIL = "noor@example.com";

chromiumTest("two people join by a link without mail, and talk through two libraries", async (browser) => {
  await play(browser, {}, async (page) => {
    await page.getByLabel("Your email address").fill(EMAIL);
    await fillAccount(page);
  });
});

chromiumTest("two people join by a confirmed address, and talk through two libraries", async (browser) => {
  await using smtp = await startSmtp();
  await play(browser, { SMTP_URL: smtp.url }, async (page) => {
    await page.getByLabel("Your email address").fill(EMAIL);
    await page.getByRole("button", { name: "Send link" }).click();
    await page.getByText("We have sent instructions").waitFor();
    const mail = await waitFor("the mail arrives", () => smtp.received[0]);
    await page.goto(valueOf(mail?.email.text ?? "", /(https?:\/\/\S+\/join\/\S+)/));
    await fillAccount(page);
  });
});

/** Plays two people from an empty store to an exchange of messages; `join` goes on from the page of a link. */
async function play(
  browser: Browser,
  environment: Readonly<Record<string, string>>,
  join: (page: Page) => Promise<void>,
): Promise<void> {
  const env = { ...environment, COMPATIBILITY_ALIASES: await readAliases() };
  await using server = await TestServer.start({ env });
  const site: Site = { baseUrl: server.url, browser, printed: () => server.output };
  const { page: ada } = await visit(site, await setupPath(site));
  await setUp(ada);
  const link = await ada.locator("code").first().innerText();
  const { page: noor } = await visit(site, new URL(link).pathname);
  await join(noor);
  await ada.getByRole("link", { name: "Noor Lake joined" }).waitFor();
  await ada.getByRole("link", { name: "Connect an app", exact: true }).click();
  const script = await showProgram(ada, "JavaScript library");
  const file = await showProgram(noor, "Terminal client");
  await talk(server, { script, file });
}

/** Creates the organization, its first channel and a link, whose page stays open. */
async function setUp(page: Page): Promise<void> {
  await page.getByLabel("Organization name").fill("Gardeners");
  await page.getByLabel("Your name").fill("Ada Green");
  await page.getByLabel("Your email address").fill("ada@example.com");
  await page.getByLabel("Your password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Create organization" }).click();
  await page.getByRole("link", { name: "Create channel", exact: true }).click();
  await page.getByLabel("Name", { exact: true }).fill("garden");
  await page.getByRole("button", { name: "Create channel" }).click();
  await page.getByRole("link", { name: "Overview" }).first().click();
  await page.getByRole("link", { name: "Invite people", exact: true }).click();
  await page.getByRole("button", { name: "Create link" }).click();
  await page.getByRole("heading", { name: "Waiting for the first person" }).waitFor();
}

async function fillAccount(page: Page): Promise<void> {
  await page.getByLabel("Your name").fill("Noor Lake");
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

/** Exchanges messages with what the pages showed: the script of one person, the file of the other. */
async function talk(server: TestServer, shown: { script: string; file: string }): Promise<void> {
  const ada = await zulip({
    username: valueOf(shown.script, /username: "(.+)"/),
    apiKey: valueOf(shown.script, /apiKey: "(.+)"/),
    realm: valueOf(shown.script, /realm: "(.+)"/),
  });
  const welcome = { type: "stream", to: "garden", topic: "hello", content: "Welcome!" };
  const sent = await ada.messages.send(welcome);
  assert.equal(sent.result, "success", JSON.stringify(sent));
  const programs = await installPythonPackages(PACKAGES);
  // Without Python there is no second library.
  if (programs === null) return;
  const config = `${server.folder}/zuliprc`;
  await Deno.writeTextFile(config, valueOf(shown.file, /(\[api\][^]*?site=\S+)/), { mode: 0o600 });
  await using noor = new PythonLibrary({ server, programs, folder: server.folder }, { config });
  const read = { anchor: "newest", num_before: 10, num_after: 0 };
  const { messages } = await noor.ok("get_messages", read);
  const received = messages.find(({ id }: Answer) => id === sent.id);
  assert.equal(received?.content, "<p>Welcome!</p>");
  const { id } = await noor.ok("send_message", { ...welcome, content: "Thanks!" });
  const latest = (await ada.messages.retrieve(read)).messages.at(-1);
  assert.deepEqual([latest.id, latest.content], [id, "<p>Thanks!</p>"]);
}

function valueOf(text: string, pattern: RegExp): string {
  return pattern.exec(text)?.[1] ?? assert.fail(`${pattern} is not in ${text}`);
}
