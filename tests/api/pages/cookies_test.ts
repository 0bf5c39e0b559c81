import assert from "node:assert/strict";
import { PASSWORD, startChat, type TestChat } from "@/tests/helpers/chat.ts";
import { cookiesOf, type ShownPage, visitPages } from "@/tests/helpers/pages.ts";

const HTTPS = { env: { BASE_URL: "https://localhost:8000" } };
const DEFAULTS = { theme: "system", offered: "keys_off" };

/** Returns what a page shows because of cookies: theme, flash message, and the offered form for single keys. */
function shownOn(html: string): object {
  const find = (pattern: RegExp) => pattern.exec(html)?.[1];
  return {
    theme: find(/<html[^>]* data-theme="(\w+)"/),
    notice: find(/<p role="status"[^>]*>([^<]*)</),
    offered: find(/value="(keys_\w+)"/),
  };
}

/** Has each cookie set, used and cleared, and returns the distinct names, paths and flags. */
async function collectCookies(chat: TestChat): Promise<readonly string[]> {
  const visitor = visitPages(chat);
  const answers: ShownPage[] = [];
  const post = async (path: string, fields: Record<string, string>) => {
    answers.push(await visitor.post(path, fields));
    assert.equal(answers.at(-1)?.status, 303, path);
  };
  const show = async () => {
    const page = await visitor.get("/admin/shortcuts");
    answers.push(page);
    return shownOn(page.html);
  };
  await post("/login", { username: chat.owner.email, password: PASSWORD });
  await post("/admin/shortcuts", { action: "keys_off" });
  await post("/admin/theme", { theme: "dark" });
  assert.deepEqual(await show(), {
    theme: "dark",
    notice: "Single-key shortcuts are off.",
    offered: "keys_on",
  });
  await post("/admin/shortcuts", { action: "keys_on" });
  await post("/admin/theme", { theme: "system" });
  assert.deepEqual(await show(), { ...DEFAULTS, notice: "Single-key shortcuts are on." });
  assert.deepEqual(await show(), { ...DEFAULTS, notice: "" });
  await post("/logout", {});
  assert.equal(visitor.token(), null);
  const cookies = answers.flatMap(({ headers }) => cookiesOf(headers));
  assert.equal(cookies.length, 10, "each cookie is set and cleared, the flash message twice");
  assert.ok(cookies.every(({ httpOnly, sameSite, domain }) => httpOnly && sameSite === "lax" && !domain));
  return [...new Set(cookies.map(({ name, path, secure }) => `${name} ${path}${secure ? " Secure" : ""}`))]
    .sort();
}

Deno.test("with an https address every cookie is Secure and bound to its host", async () => {
  await using chat = await startChat(HTTPS);
  assert.deepEqual(await collectCookies(chat), [
    "__Host-sotto_done / Secure",
    "__Host-sotto_keys / Secure",
    "__Host-sotto_session / Secure",
    "__Host-sotto_theme / Secure",
  ]);
});

Deno.test("without an https address cookies have plain names", async () => {
  await using chat = await startChat();
  assert.deepEqual(await collectCookies(chat), [
    "sotto_done /admin",
    "sotto_keys /admin",
    "sotto_session /",
    "sotto_theme /",
  ]);
});

Deno.test("with an https address cookies that another host could set are ignored", async () => {
  await using chat = await startChat(HTTPS);
  const visitor = visitPages(chat);
  await visitor.post("/login", { username: chat.owner.email, password: PASSWORD });
  const show = async (name: string) => {
    const cookie = `${name}=${visitor.token()}; sotto_done=Fixed; sotto_theme=dark; sotto_keys=off`;
    const response = await chat.request("/admin/shortcuts", { headers: { cookie, accept: "text/html" } });
    return { status: response.status, shown: shownOn(await response.text()) };
  };
  assert.equal((await show("sotto_session")).status, 303);
  assert.deepEqual(await show("__Host-sotto_session"), { status: 200, shown: { ...DEFAULTS, notice: "" } });
});
