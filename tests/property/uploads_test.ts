import assert from "node:assert/strict";
import fc from "@/tests/helpers/fast_check.ts";
import { listClaims } from "@/lib/chat/uploads/claims.ts";
import { checkChat } from "@/lib/cli/check_chat.ts";
import { type Person, startChat, type TestChat } from "@/tests/helpers/chat.ts";
import { makeChannel, send } from "../api/chat/messages_cast.ts";
import { upload } from "../api/chat/uploads_cast.ts";

/** The files that are uploaded first: two of the member's, one of the administrator's. */
const FILES = 3;

const links = fc.uniqueArray(fc.nat(FILES - 1), { maxLength: FILES });
const who = fc.constantFrom<"member" | "admin">("member", "admin");
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("send" as const), who, links }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("edit" as const), at: fc.nat(5), links }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("move" as const), at: fc.nat(5), links }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("delete" as const), at: fc.nat(5) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("remove" as const), file: fc.nat(FILES - 1) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

interface File {
  readonly id: number;
  readonly url: string;
  readonly owner: Person;
  isThere: boolean;
}

interface Message {
  readonly id: number;
  readonly author: Person;
  /** The files that its text links and its author could hand on when he wrote it. */
  files: readonly File[];
}

/** What should be: everybody here reads every message, so a file is anybody's to hand on while some message links it. */
class Model {
  readonly messages: Message[] = [];

  constructor(readonly files: readonly File[]) {}

  linked(author: Person, at: readonly number[]): File[] {
    return this.files.filter((file, number) =>
      at.includes(number) && file.isThere &&
      (file.owner === author || this.messages.some(({ files }) => files.includes(file)))
    );
  }

  claims(file: File): number[] {
    return this.messages.filter(({ files }) => files.includes(file)).map(({ id }) => id);
  }
}

Deno.test("after any sends, edits, moves, deletes and removals, what links a file is what the messages say", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
      await using chat = await startChat();
      const channel = await makeChannel(chat, "Garden");
      await chat.call(chat.admin, "POST /users/me/subscriptions", { subscriptions: [{ name: "Garden" }] });
      const model = new Model(await uploadAll(chat));
      for (const one of steps) {
        await chat.events();
        const before = new Map(model.files.map((file) => [file, model.claims(file).join()]));
        await take(chat, { model, channel }, one);
        await requireTold(chat, model, before);
      }
      await requireAgrees(chat, model);
    }),
    { numRuns: 25 },
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

async function take(
  chat: TestChat,
  { model, channel }: { model: Model; channel: number },
  one: Step,
): Promise<void> {
  if (one.kind === "remove") {
    const file = model.files[one.file];
    if (file === undefined || !file.isThere) return;
    assert.equal((await chat.call(file.owner, `DELETE /attachments/${file.id}`)).status, 200);
    file.isThere = false;
    for (const message of model.messages) message.files = message.files.filter((other) => other !== file);
    return;
  }
  const textOf = (at: readonly number[]) =>
    `text ${at.map((each) => `[f](${model.files[each]?.url})`).join(" ")}`;
  if (one.kind === "send") {
    const author = chat[one.who];
    const files = model.linked(author, one.links);
    const id = await send(chat, author, { to: channel, topic: "files", content: textOf(one.links) });
    model.messages.push({ id, author, files });
    return;
  }
  const message = model.messages[one.at];
  if (message === undefined) return;
  if (one.kind === "delete") {
    assert.equal((await chat.call(chat.owner, `DELETE /messages/${message.id}`)).status, 200);
    model.messages.splice(one.at, 1);
    return;
  }
  const files = model.linked(message.author, one.links);
  const params = { content: textOf(one.links), ...(one.kind === "move" ? { topic: `moved ${one.at}` } : {}) };
  const { status, body } = await chat.call(message.author, `PATCH /messages/${message.id}`, params);
  assert.equal(status, 200, body["msg"]);
  message.files = files;
}

/** The owner of each file is told of the messages that link it, when those are other ones, and not otherwise. */
async function requireTold(
  chat: TestChat,
  model: Model,
  before: ReadonlyMap<File, string>,
): Promise<void> {
  const told = (await chat.events()).filter(({ event }) =>
    event.type === "attachment" && event.op === "update"
  );
  const seen = told.map(({ event, audience }) => ({ audience, attachment: Object(event["attachment"]) }));
  const wanted = model.files.filter((file) => file.isThere && before.get(file) !== model.claims(file).join());
  assert.deepEqual(
    seen.map(({ attachment: { id, message_ids }, audience }) => ({ id, message_ids, audience }))
      .toSorted((one, two) => one.id - two.id),
    wanted.map((file) => ({ id: file.id, message_ids: model.claims(file), audience: [file.owner.id] })),
  );
}

async function requireAgrees(chat: TestChat, model: Model): Promise<void> {
  for (const file of model.files) {
    const ids = await listClaims(chat.services.chat, chat.realm.id, { id: file.id, limit: 100 });
    assert.deepEqual(ids, model.claims(file));
  }
  assert.deepEqual((await checkChat(chat.services.store.kv)).problems, []);
}
