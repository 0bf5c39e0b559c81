import assert from "node:assert/strict";
import { startChat, type TestChat } from "@/tests/helpers/chat.ts";
import { signIn } from "@/tests/helpers/pages.ts";

async function addField(chat: TestChat, field: Record<string, unknown>): Promise<number> {
  return (await chat.call(chat.owner, "POST /realm/profile_fields", field)).body["id"];
}

Deno.test("the profile of a user is shown and changed on the user's page", async () => {
  await using chat = await startChat();
  const admin = await signIn(chat, chat.admin);
  const path = `/admin/users/${chat.member.id}`;
  assert.doesNotMatch((await admin.get(path)).html, /Save profile/, "without fields there is no profile");
  const city = await addField(chat, { field_type: 1, name: "City" });
  const tree = await addField(chat, {
    field_type: 3,
    name: "Tree",
    field_data: { "0": { text: "Oak", order: "1" }, "1": { text: "Elm", order: "2" } },
  });
  const birthday = await addField(chat, { field_type: 4, name: "Birthday" });
  const mentor = await addField(chat, { field_type: 6, name: "Mentor" });
  const seenIn = (html: string) => /id="profile-title".*?name="seen" value="([^"]+)"/s.exec(html)?.[1] ?? "";
  const first = await admin.get(path);
  const form = {
    action: "profile",
    seen: seenIn(first.html),
    [`profile_${city}`]: "Graz",
    [`profile_${tree}`]: "1",
    [`profile_${birthday}`]: "1990-02-03",
    [`profile_${mentor}`]: "Moderator",
  };
  const wrong = await admin.post(path, { ...form, [`profile_${birthday}`]: "soon" });
  assert.match(wrong.html, new RegExp(`id="profile_${birthday}-problem"[^>]*>Birthday is not a date`));
  assert.match(wrong.html, /value="Graz"/, "input is kept");
  const nobody = await admin.post(path, { ...form, [`profile_${mentor}`]: "Nobody" });
  assert.match(nobody.html, new RegExp(`id="profile_${mentor}-problem"`));
  assert.equal((await admin.post(path, form)).status, 303);
  const { body } = await chat.call(chat.owner, `GET /users/${chat.member.id}`, {
    include_custom_profile_fields: true,
  });
  const values = Object.fromEntries(
    Object.entries<{ value: string }>(body["user"].profile_data).map(([id, { value }]) => [id, value]),
  );
  assert.deepEqual(values, {
    [city]: "Graz",
    [tree]: "1",
    [birthday]: "1990-02-03",
    [mentor]: `[${chat.moderator.id}]`,
  });
  const shown = await admin.get(path);
  assert.match(shown.html, new RegExp(`Moderator \\(${chat.moderator.id}\\)`));
  const stale = await admin.post(path, { ...form, [`profile_${city}`]: "Linz" });
  assert.match(stale.html, /Someone else changed this/);
  const cleared = { ...form, seen: seenIn(shown.html), [`profile_${city}`]: "", [`profile_${mentor}`]: "" };
  assert.equal((await admin.post(path, cleared)).status, 303);
  assert.doesNotMatch((await admin.get(path)).html, /Graz/);
  const ownerPage = await admin.get(`/admin/users/${chat.owner.id}`);
  assert.match(ownerPage.html, /<dt[^>]*>City<\/dt>.*Not set/s);
  assert.doesNotMatch((await admin.get(`/admin/users/${chat.bot.id}`)).html, /Save profile/);
});
