import assert from "node:assert/strict";
import { listAuditRecords } from "@/lib/chat/organization/audit/store.ts";
import { startChat, type TestChat, type TestParams } from "@/tests/helpers/chat.ts";
import { succeed } from "@/tests/helpers/succeed.ts";

const PYTHON = {
  name: "Python sandbox",
  pygments_language: "Python",
  url_template: "https://python.example/{?code}",
};
const BLANK = "This field cannot be blank.";
const INVALID_TEMPLATE = "Invalid URL template.";
const NO_CODE = 'Missing the required variable "code" in the URL template';
const OTHER_VARIABLE = '"code" should be the only variable present in the URL template';
const TAKEN = "Realm playground with this Realm, Pygments language and Name already exists.";

/** Invalid playgrounds with their error message and the errors by field, if there are any. */
const REFUSED: readonly (readonly [TestParams, string, object?])[] = [
  [{ pygments_language: "a$b$c" }, "Invalid characters in pygments language"],
  [{ pygments_language: "x".repeat(41) }, "pygments_language is too long (limit: 40 characters)"],
  [{ name: "x".repeat(61) }, "name is too long (limit: 60 characters)"],
  [{ url_template: "x".repeat(2001) }, "url_template is too long (limit: 2000 characters)"],
  [{ name: " ", pygments_language: "" }, BLANK, { name: [BLANK], pygments_language: [BLANK] }],
  [{ url_template: " " }, BLANK, { url_template: [BLANK] }],
  [{ url_template: "https://x.example/{code" }, INVALID_TEMPLATE, { url_template: [INVALID_TEMPLATE] }],
  [{ url_template: "javascript:alert({code})" }, INVALID_TEMPLATE, { url_template: [INVALID_TEMPLATE] }],
  [{ url_template: "data:text/html,{code}" }, INVALID_TEMPLATE, { url_template: [INVALID_TEMPLATE] }],
  [{ url_template: "{+code}" }, INVALID_TEMPLATE, { url_template: [INVALID_TEMPLATE] }],
  [{ url_template: "https://x.example/?code=code" }, NO_CODE, { __all__: [NO_CODE] }],
  [{ url_template: "https://x.example/{?test}" }, NO_CODE, { __all__: [NO_CODE] }],
  [{ url_template: "https://x.example/{?test,code}" }, OTHER_VARIABLE, { __all__: [OTHER_VARIABLE] }],
  [PYTHON, TAKEN, { __all__: [TAKEN] }],
  [{ name: ` ${PYTHON.name} ` }, TAKEN, { __all__: [TAKEN] }],
];

async function listPlaygrounds(chat: TestChat) {
  const fetched = { event_types: ["message"], fetch_event_types: ["realm_playgrounds"] };
  return (await succeed(chat, chat.guest, "POST /register", fetched)).realm_playgrounds;
}

Deno.test("playgrounds are added and removed, each with an event and an audit entry", async () => {
  await using chat = await startChat();
  const change = (endpoint: string, params: TestParams = {}) => {
    // Changes at the same time have no defined order in the audit log.
    chat.clock.time++;
    return succeed(chat, chat.admin, endpoint, params);
  };
  const add = async (params: TestParams) =>
    (await change("POST /realm/playgrounds", { ...PYTHON, ...params })).id;
  const first = { id: await add({}), ...PYTHON };
  const second = { id: await add({ pygments_language: " C++ " }), ...PYTHON, pygments_language: "C++" };
  assert.deepEqual(await listPlaygrounds(chat), [first, second]);
  await change(`DELETE /realm/playgrounds/${first.id}`);
  assert.deepEqual(await listPlaygrounds(chat), [second]);
  assert.deepEqual(
    await chat.events(),
    [[first], [first, second], [second]].map((realm_playgrounds) => ({
      event: { type: "realm_playgrounds", realm_playgrounds },
      audience: "everyone",
    })),
  );
  const { changes } = await listAuditRecords(chat.services.chat, chat.realm, { cursor: null, limit: 3 });
  assert.deepEqual(
    changes.map(({ action, target, details }) => [action, target.id, details["pygments_language"]]),
    [
      ["playground_removed", first.id, "Python"],
      ["playground_added", second.id, "C++"],
      ["playground_added", first.id, "Python"],
    ],
  );
  await change(`DELETE /realm/playgrounds/${second.id}`);
  assert.deepEqual(await listPlaygrounds(chat), []);
});

Deno.test("invalid playgrounds, unknown ids and too many playgrounds are refused", async () => {
  await using chat = await startChat();
  await succeed(chat, chat.admin, "POST /realm/playgrounds", PYTHON);
  for (const [fields, msg, errors] of REFUSED) {
    const { status, body } = await chat.call(chat.admin, "POST /realm/playgrounds", {
      ...PYTHON,
      name: "Other",
      ...fields,
    });
    const expected = { result: "error", msg, code: "BAD_REQUEST", ...errors && { errors } };
    assert.deepEqual([status, body], [400, expected]);
  }
  const { body } = await chat.call(chat.admin, "DELETE /realm/playgrounds/999");
  assert.deepEqual([body["msg"], body["code"]], ["Invalid playground", "BAD_REQUEST"]);
  const template = `https://x.example/{code}${"x".repeat(1900)}`;
  const addLarge = (at: number) =>
    chat.call(chat.admin, "POST /realm/playgrounds", { ...PYTHON, name: `${at}`, url_template: template });
  let count = 0;
  while ((await addLarge(count)).status === 200) count++;
  assert.ok(count > 5 && count < 100, `${count}`);
  assert.equal((await addLarge(count)).body["msg"], "The organization has too many code playgrounds.");
});
