import assert from "node:assert/strict";
import { textOf } from "@/tests/casts/admin_linkifiers_cast.ts";
import { startChat, type TestChat } from "@/tests/helpers/chat.ts";
import { signIn } from "@/tests/helpers/pages.ts";

const LIST = "/admin/playgrounds";
const FIELDS = {
  name: "Sandpit",
  pygments_language: "Python",
  url_template: "https://play.example/{?code}",
};

async function listPlaygrounds(chat: TestChat) {
  const { body } = await chat.call(chat.member, "POST /register", { event_types: ["realm_playgrounds"] });
  return body["realm_playgrounds"];
}

Deno.test("code playgrounds are added, listed and deleted, and the audit log names them", async () => {
  await using chat = await startChat();
  const admin = await signIn(chat, chat.admin);
  const empty = await admin.get(LIST);
  assert.match(textOf(empty.html), /There are no code playgrounds yet\./);
  const added = await admin.post(LIST, { action: "create", ...FIELDS, name: "  Sandpit " });
  assert.deepEqual([added.status, added.location], [303, LIST], added.html);
  const [playground] = await listPlaygrounds(chat);
  assert.deepEqual(playground, { id: playground.id, ...FIELDS });
  const list = textOf((await admin.get(LIST)).html);
  for (const text of ["Code playground Sandpit added.", "Sandpit", "Python", FIELDS.url_template]) {
    assert.ok(list.includes(text), text);
  }
  assert.doesNotMatch(list, /There are no code playgrounds/);
  const path = `${LIST}/${playground.id}/delete`;
  assert.match(textOf((await admin.get(path)).html), /Delete this code playground\?.*Sandpit/s);
  const deleted = await admin.post(path, { action: "delete" });
  assert.deepEqual([deleted.status, deleted.location], [303, LIST]);
  assert.match(textOf((await admin.get(LIST)).html), /Code playground Sandpit deleted\./);
  assert.deepEqual(await listPlaygrounds(chat), []);
  assert.equal((await admin.get(path)).status, 404);
  assert.equal((await admin.post(path, { action: "delete" })).status, 404);
  const audit = (await admin.get("/admin/audit")).html;
  for (const text of ["Added the code playground Sandpit", "Removed the code playground Sandpit"]) {
    assert.ok(textOf(audit).includes(text), text);
  }
  assert.match(audit, new RegExp(`href="${LIST}"><bdi[^>]*>Sandpit`));
});

Deno.test("invalid code playgrounds are refused at their field, and input is kept", async () => {
  await using chat = await startChat();
  const admin = await signIn(chat, chat.admin);
  await admin.post(LIST, { action: "create", ...FIELDS });
  const refusals: readonly (readonly [keyof typeof FIELDS, string, string])[] = [
    ["name", "Sandpit", "The language already has a playground of this name."],
    ["name", " ", "This field cannot be blank."],
    ["name", "x".repeat(61), "1 character over the limit"],
    ["pygments_language", "<b>", "Use letters, digits, spaces and"],
    ["pygments_language", "", "This field cannot be blank."],
    ["url_template", "https://play.example/", "Missing the required variable"],
    ["url_template", "https://play.example/{code}{x}", "should be the only variable"],
    ["url_template", "https://play.example/{", "Invalid URL template."],
  ];
  for (const [field, value, problem] of refusals) {
    const { status, html } = await admin.post(LIST, {
      action: "create",
      ...FIELDS,
      name: "Other",
      [field]: value,
    });
    assert.equal(status, 400, value);
    assert.match(html, new RegExp(`id="${field}-problem"`), value);
    assert.ok(textOf(html).includes(problem), problem);
    assert.doesNotMatch(html, /<b>/);
    if (field !== "name") assert.match(html, /value="Other"/);
  }
  assert.equal((await listPlaygrounds(chat)).length, 1);
});

Deno.test("an organization with a hundred code playgrounds shows no form", async () => {
  await using chat = await startChat();
  const admin = await signIn(chat, chat.admin);
  for (let at = 0; at < 100; at++) {
    await chat.call(chat.admin, "POST /realm/playgrounds", { ...FIELDS, name: `Sandpit ${at}` });
  }
  const { html } = await admin.get(LIST);
  assert.match(textOf(html), /reached the maximum number of code playgrounds/);
  assert.doesNotMatch(html, /name="action" value="create"/);
  const refused = await admin.post(LIST, { action: "create", ...FIELDS });
  assert.deepEqual([refused.status, (await listPlaygrounds(chat)).length], [400, 100]);
});
