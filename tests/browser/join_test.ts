import assert from "node:assert/strict";
import { waitFor } from "@/tests/helpers/wait.ts";
import { startSmtp } from "@/tests/casts/mail_cast.ts";
import { browserTest, setupPath, type Site, visit } from "./helpers.ts";
import { assertRendersWell } from "./rendering.ts";

const PASSWORD = "violet kettle seldom 42";

const smtp = await startSmtp();
Deno.test.afterAll(async () => await smtp[Symbol.asyncDispose]());

/** Calls the API as one user. */
type Call = (endpoint: string, params?: Record<string, unknown>) => Promise<Record<string, unknown>>;

async function signInToApi({ baseUrl }: Site, username: string): Promise<Call> {
  const fetched = await fetch(`${baseUrl}/api/v1/fetch_api_key`, {
    method: "POST",
    body: new URLSearchParams({ username, password: PASSWORD }),
  });
  const { api_key } = await fetched.json();
  const authorization = `Basic ${btoa(`${username}:${api_key}`)}`;
  return async (endpoint, params = {}) => {
    const [method = "", path = ""] = endpoint.split(" ");
    const form = new URLSearchParams(
      Object.entries(params).map((
        [name, value],
      ) => [name, typeof value === "string" ? value : JSON.stringify(value)]),
    );
    const url = `${baseUrl}/api/v1${path}${method === "GET" ? `?${form}` : ""}`;
    const response = await fetch(url, {
      method,
      headers: { authorization },
      ...(method !== "GET" && { body: form }),
    });
    const body = await response.json();
    assert.equal(body.result, "success", `${endpoint}: ${body.msg}`);
    return body;
  };
}

/** Creates the organization and returns its owner's API. */
async function setUp(site: Site): Promise<Call> {
  const { page } = await visit(site, await setupPath(site));
  await page.locator("[name=organization]").fill("Gardeners");
  await page.locator("[name=full_name]").fill("Ada Green");
  await page.locator("[name=email]").fill("ada@example.com");
  await page.locator("[name=password]").fill(PASSWORD);
  await page.keyboard.press("Enter");
  await page.waitForURL("**/admin");
  await page.context().close();
  return await signInToApi(site, "ada@example.com");
}

/** Waits for a mail to an address and returns the path of its link. */
async function mailedPath(address: string): Promise<string> {
  const read = () => smtp.received.findLast(({ recipients: receivers }) => receivers.includes(address));
  const mail = await waitFor(`a mail reaches ${address}`, read);
  const path = /https?:\/\/[^/\s]+(\/join\/\S+)/.exec(mail?.email.text ?? "")?.[1];
  assert.ok(path);
  return path;
}

async function directTexts(call: Call): Promise<unknown> {
  const narrow = [{ operator: "is", operand: "dm" }];
  const asked = { anchor: "oldest", num_before: 0, num_after: 9, narrow, apply_markdown: false };
  const { messages } = await call("GET /messages", asked);
  assert.ok(Array.isArray(messages));
  return messages.map(({ content }) => content);
}

const environment = { SMTP_URL: smtp.url, MAIL_FROM: "Garden <garden@example.com>", RATE_LIMITS: "off" };

browserTest("an invited user joins, is welcomed and signed in, without JavaScript", async (site) => {
  const owner = await setUp(site);
  const { id: channel } = await owner("POST /channels/create", { name: "beds", subscribers: [] });
  const created = await owner("POST /user_groups/create", { name: "weeders", description: "", members: [] });
  await owner("POST /invites", {
    invitee_emails: "Noor Lake <noor@example.com>",
    invite_as: 300,
    stream_ids: [channel],
    group_ids: [created["group_id"]],
    welcome_message_custom_text: "Mind the **bees**.",
  });
  const { page, complaints } = await visit(site, await mailedPath("noor@example.com"), {
    javaScriptEnabled: false,
  });
  assert.match(await page.locator("main").innerText(), /Ada Green invites you to Gardeners as a moderator/);
  assert.equal(await page.locator("[name=full_name]").inputValue(), "Noor Lake");
  assert.equal(await page.locator("main script").count(), 0);
  await page.locator("[name=password]").fill("12345678");
  await page.keyboard.press("Enter");
  await page.getByText("This password is on lists of common passwords.").waitFor();
  assert.equal(await page.locator("[name=full_name]").inputValue(), "Noor Lake");
  assert.equal(await page.locator("[name=password]").inputValue(), "");
  await page.locator("[name=password]").fill(PASSWORD);
  await page.keyboard.press("Enter");
  await page.waitForURL("**/connect?joined=1");
  await page.goto("/account");
  assert.match(await page.locator("header").innerText(), /Noor Lake at Gardeners/);
  assert.deepEqual(complaints, []);
  const noor = await signInToApi(site, "noor@example.com");
  const { role, user_id } = await noor("GET /users/me");
  assert.equal(role, 300);
  const { subscriptions } = await noor("GET /users/me/subscriptions");
  assert.ok(Array.isArray(subscriptions));
  assert.ok(subscriptions.some(({ name }) => name === "beds"));
  const { members } = await noor(`GET /user_groups/${created["group_id"]}/members`);
  assert.ok(Array.isArray(members) && members.includes(user_id));
  assert.deepEqual(await directTexts(noor), ["Mind the **bees**."]);
  assert.deepEqual(await directTexts(owner), [
    `@_**Noor Lake|${user_id}** accepted your invitation to join **Gardeners**.`,
  ]);
  const { invites } = await owner("GET /invites");
  assert.deepEqual(invites, []);
}, environment);

browserTest("a reusable link asks for an address, mails a link and creates the account", async (site) => {
  const owner = await setUp(site);
  const { invite_link } = await owner("POST /invites/multiuse", { invite_as: 600 });
  assert.ok(typeof invite_link === "string");
  const { page, complaints } = await visit(site, new URL(invite_link).pathname, { javaScriptEnabled: false });
  await page.locator("[name=email]").fill("ivo@example.com");
  await page.keyboard.press("Enter");
  await page.getByText("Check your email").first().waitFor();
  await page.goto(await mailedPath("ivo@example.com"));
  await page.locator("[name=full_name]").fill("Ivo Marsh");
  await page.locator("[name=password]").fill(PASSWORD);
  await page.keyboard.press("Enter");
  await page.waitForURL("**/connect?joined=1");
  await page.goto("/account");
  assert.match(await page.locator("header").innerText(), /Ivo Marsh at Gardeners/);
  const ivo = await signInToApi(site, "ivo@example.com");
  assert.equal((await ivo("GET /users/me"))["role"], 600);
  assert.deepEqual(complaints, []);
}, environment);

browserTest(
  "every join page is accessible and fits narrow and wide screens in both color schemes",
  async (site) => {
    const owner = await setUp(site);
    const invite = async (address: string, minutes: number | null = null) => {
      await owner("POST /invites", {
        invitee_emails: address,
        stream_ids: [],
        invite_expires_in_minutes: minutes,
      });
      return await mailedPath(address);
    };
    const { invite_link } = await owner("POST /invites/multiuse", { invite_as: 400 });
    const path = await invite("jun@example.com");
    const { page } = await visit(site, path, { bypassCSP: true });
    await assertRendersWell(page, "account");
    await page.locator("[name=full_name]").fill("a*b");
    await page.keyboard.press("Enter");
    await page.getByText("Invalid characters in name.").waitFor();
    await assertRendersWell(page, "account-problems");
    await page.goto(String(invite_link));
    await assertRendersWell(page, "address");
    await page.locator("[name=email]").fill("tomas@");
    await page.keyboard.press("Enter");
    await page.getByText("Enter a valid email address.").waitFor();
    await assertRendersWell(page, "address-problem");
    await page.locator("[name=email]").fill(`${"long".repeat(15)}@example.com`);
    await page.keyboard.press("Enter");
    await page.getByText("Check your email").first().waitFor();
    await assertRendersWell(page, "sent");
    await page.goto(path.slice(0, -1));
    await assertRendersWell(page, "unknown");
    await page.goto(path);
    await page.locator("[name=full_name]").fill("Jun Reed");
    await page.locator("[name=password]").fill(PASSWORD);
    await page.keyboard.press("Enter");
    await page.waitForURL("**/connect?joined=1");
    await page.goto("/account");
    await page.goto(String(invite_link));
    await assertRendersWell(page, "member");
    await owner("PATCH /realm", { name: "Gardeners".repeat(4) });
    await page.reload();
    await assertRendersWell(page, "member-long");
    await page.context().clearCookies();
    await page.reload();
    await assertRendersWell(page, "address-long");
    await owner("PATCH /realm", { name: "Gardeners" });
    await page.goto(path);
    await assertRendersWell(page, "used");
    await page.goto(await invite("kim@example.com"));
    const { invites } = await owner("GET /invites");
    assert.ok(Array.isArray(invites));
    for (const { id, is_multiuse } of invites) {
      await owner(
        `DELETE /invites/${is_multiuse ? "multiuse/" : ""}${id}`,
      );
    }
    await page.reload();
    await assertRendersWell(page, "revoked");
  },
  environment,
);
