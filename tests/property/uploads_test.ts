import assert from "node:assert/strict";
import fc, { numberOfRuns } from "@/tests/helpers/fast_check.ts";
import { listReferences } from "@/lib/chat/messages/files/store.ts";
import { checkChat } from "@/lib/cli/check_chat.ts";
import { startChat, type TestChat, type TestUser } from "@/tests/helpers/chat.ts";
import { makeChannel, send } from "../casts/messages_cast.ts";
import { upload } from "../casts/files_cast.ts";

/** Number of files uploaded first: two by the member, one by the administrator. */
const FILES = 3;

const links = fc.uniqueArray(fc.nat(FILES - 1), { maxLength: FILES });
const person = fc.constantFrom<"member" | "admin">("member", "admin");
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("send" as const), person, links }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("edit" as const), at: fc.nat(5), links }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("move" as const), at: fc.nat(5), links }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("delete" as const), at: fc.nat(5) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("remove" as const), file: fc.nat(FILES - 1) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

interface File {
  readonly id: number;
  readonly url: string;
  readonly owner: TestUser;
  isThere: boolean;
}

interface Message {
  readonly id: number;
  readonly author: TestUser;
  /** Files that its text links and that its author could access at that time. */
  files: readonly File[];
}

/**
 * Expected state. Both authors can read all messages, so they can access a file while any message links it.
 */
class Model {
  readonly messages: Message[] = [];

  constructor(readonly files: readonly File[]) {}

  linked(author: TestUser, at: readonly number[]): File[] {
    return this.files.filter((file, number) =>
      at.includes(number) && file.isThere &&
      (file.owner === author || this.messages.some(({ files }) => files.includes(file)))
    );
  }

  references(file: File): number[] {
    return this.messages.filter(({ files }) => files.includes(file)).map(({ id }) => id);
  }
}

Deno.test("attachment references match the messages after any sends, edits, moves, deletes and removals", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
      await using chat = await startChat();
      const channel = await makeChannel(chat, "Garden");
      await chat.call(chat.admin, "POST /users/me/subscriptions", { subscriptions: [{ name: "Garden" }] });
      const model = new Model(await uploadAll(chat));
      for (const step of steps) {
        await chat.events();
        const before = new Map(model.files.map((file) => [file, model.references(file).join()]));
        await applyStep(chat, { model, channel }, step);
        await requireEvents(chat, model, before);
      }
      await requireConsistent(chat, model);
    }),
    numberOfRuns(15),
  );
});

async function uploadAll(chat: TestChat): Promise<File[]> {
  const files: File[] = [];
  for (let at = 0; at < FILES; at++) {
    const owner = at === 2 ? chat.admin : chat.member;
    const { body } = await upload(chat, owner, { name: `${at}.txt`, content: "x".repeat(at * 70_000) });
    const id = (await chat.call(owner, "GET /attachments")).body["attachments"].at(-1).id;
    files.push({ id, url: body["url"], owner, isThere: true });
  }
  return files;
}

async function applyStep(
  chat: TestChat,
  { model, channel }: { model: Model; channel: number },
  step: Step,
): Promise<void> {
  if (step.kind === "remove") {
    const file = model.files[step.file];
    if (file === undefined || !file.isThere) return;
    assert.equal((await chat.call(file.owner, `DELETE /attachments/${file.id}`)).status, 200);
    file.isThere = false;
    for (const message of model.messages) message.files = message.files.filter((other) => other !== file);
    return;
  }
  const textOf = (at: readonly number[]) =>
    `text ${at.map((each) => `[f](${model.files[each]?.url})`).join(" ")}`;
  if (step.kind === "send") {
    const author = chat[step.person];
    const files = model.linked(author, step.links);
    const id = await send(chat, author, { to: channel, topic: "files", content: textOf(step.links) });
    model.messages.push({ id, author, files });
    return;
  }
  const message = model.messages[step.at];
  if (message === undefined) return;
  if (step.kind === "delete") {
    assert.equal((await chat.call(chat.owner, `DELETE /messages/${message.id}`)).status, 200);
    model.messages.splice(step.at, 1);
    return;
  }
  const files = model.linked(message.author, step.links);
  const params = {
    content: textOf(step.links),
    ...(step.kind === "move" ? { topic: `moved ${step.at}` } : {}),
  };
  const { status, body } = await chat.call(message.author, `PATCH /messages/${message.id}`, params);
  assert.equal(status, 200, body["msg"]);
  message.files = files;
}

/** Requires one event per file whose references changed, for its owner, and no others. */
async function requireEvents(
  chat: TestChat,
  model: Model,
  before: ReadonlyMap<File, string>,
): Promise<void> {
  const events = (await chat.events()).filter(({ event }) =>
    event.type === "attachment" && event.op === "update"
  );
  const updates = events.map(({ event, audience }) => ({
    audience,
    attachment: Object(event["attachment"]),
  }));
  const expected = model.files.filter((file) =>
    file.isThere && before.get(file) !== model.references(file).join()
  );
  assert.deepEqual(
    updates.map(({ attachment: { id, message_ids }, audience }) => ({ id, message_ids, audience }))
      .toSorted((one, two) => one.id - two.id),
    expected.map((file) => ({ id: file.id, message_ids: model.references(file), audience: [file.owner.id] })),
  );
}

async function requireConsistent(chat: TestChat, model: Model): Promise<void> {
  for (const file of model.files) {
    const ids = await listReferences(chat.services.chat, chat.realm.id, { id: file.id, limit: 100 });
    assert.deepEqual(ids, model.references(file));
  }
  assert.deepEqual((await checkChat(chat.services.store.kv)).problems, []);
}
