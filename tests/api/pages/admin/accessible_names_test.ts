import assert from "node:assert/strict";
import { createOwnersSamples } from "@/tests/casts/admin_samples_cast.ts";
import { startChat } from "@/tests/helpers/chat.ts";
import { signIn, visitPages, withoutScripts } from "@/tests/helpers/pages.ts";

const PAGES = [
  "/admin",
  "/admin/invitations",
  "/admin/linkifiers",
  "/admin/channel-folders",
  "/admin/profile-fields",
  "/admin/groups",
  "/admin/organization",
  "/admin/organization/permissions",
  "/admin/organization/emoji",
];

/** Returns the controls whose accessible name does not begin with their visible text. */
function mismatchesIn(html: string): readonly string[] {
  const controls = /<(button|a|select)\b[^>]*\saria-label="([^"]*)"[^>]*>([\s\S]*?)<\/\1>/g;
  return [...withoutScripts(html).matchAll(controls)].flatMap(([, element, name = "", content = ""]) => {
    const text = content.replaceAll(/<[^>]+>/g, "").trim();
    return element === "select" || text === "" || name.startsWith(text) ? [] : [`${name} shows ${text}`];
  });
}

Deno.test("the accessible name of a control begins with its visible text", async () => {
  await using chat = await startChat();
  await createOwnersSamples(chat);
  const visitor = await signIn(chat, chat.owner);
  for (const path of PAGES) assert.deepEqual(mismatchesIn((await visitor.get(path)).html), [], path);
});

Deno.test("public pages lead signed-in visitors to their account, and only short links blame lost characters", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat, chat.member);
  for (const path of ["/", "/docs"]) {
    assert.match((await visitPages(chat).get(path)).html, />Sign in</, path);
    const { html } = await visitor.get(path);
    assert.ok(html.includes(">Your account<") && !html.includes(">Sign in<"), path);
  }
  const lost = /remove part of its invisible characters/;
  assert.doesNotMatch((await visitPages(chat).get("/nowhere")).html, lost);
  assert.match((await visitPages(chat).get("/%E2%80%8C%E2%80%8C")).html, lost);
});
