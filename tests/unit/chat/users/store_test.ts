import assert from "node:assert/strict";
import { addUser } from "@/lib/chat/people/users/create_user.ts";
import { listUsers } from "@/lib/chat/organization/users/store.ts";
import { ownerOf } from "@/lib/chat/organization/collection.ts";
import { isLastOwner, ownedBots, putUser } from "@/lib/chat/people/put_user.ts";
import { type Role, userKeys, type UserRecord } from "@/lib/chat/organization/users/model.ts";
import { readRecord } from "@/lib/store/key.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";
import { writeRows } from "@/tests/helpers/write_rows.ts";
import { startChat, type TestChat } from "@/tests/helpers/chat.ts";

function change<T>(chat: TestChat, work: (tx: Tx) => Promise<T>): Promise<T> {
  return transact(chat.services.store, work);
}

function add(chat: TestChat, name: string, role: Role, ownerId?: number): Promise<UserRecord> {
  const user = { deliveryEmail: `${name}@example.com`, fullName: name, role, passwordHash: null };
  const withBot = ownerId === undefined ? user : { ...user, bot: { type: 1 as const, ownerId } };
  return change(chat, (tx) => addUser({ app: chat.services.chat, tx, realm: chat.realm }, withBot));
}

function put(chat: TestChat, user: UserRecord): Promise<void> {
  return change(chat, (tx) => putUser(tx, chat.realm.id, user));
}

Deno.test("putUser() counts the active human owners of the organization after every change", async () => {
  await using chat = await startChat();
  const { store } = chat.services;
  const count = () => readRecord<number>(store.kv, userKeys.ownerCount(chat.realm.id));
  assert.equal(await count(), 1);
  const second = await add(chat, "second", 100);
  assert.equal(await count(), 2);
  await add(chat, "ownerbot", 100, second.id);
  await put(chat, { ...second, full_name: "Other" });
  assert.equal(await count(), 2);
  for (
    const [changed, expected] of [
      [{ ...second, is_active: false }, 1],
      [{ ...second, role: 400 }, 1],
      [second, 2],
      [{ ...second, role: 200 }, 1],
    ] as const
  ) {
    await put(chat, changed);
    assert.equal(await count(), expected);
  }
});

Deno.test("isLastOwner() returns true only for the one active owner", async () => {
  await using chat = await startChat();
  const { id } = chat.realm;
  const read = (userId: number) => readRecord<UserRecord>(chat.services.store.kv, userKeys.user(id, userId));
  const owner = await read(chat.owner.id);
  const admin = await read(chat.admin.id);
  assert.ok(owner !== null && admin !== null);
  const isLast = (user: UserRecord) => change(chat, (tx) => isLastOwner(tx, id, user));
  assert.deepEqual([await isLast(owner), await isLast(admin)], [true, false]);
  await put(chat, { ...admin, role: 100 });
  assert.deepEqual([await isLast(owner), await isLast({ ...admin, role: 100 })], [false, false]);
});

Deno.test("putUser() updates the address index and refuses a taken address, ignoring case", async () => {
  await using chat = await startChat();
  const user = await add(chat, "mover", 400);
  await put(chat, { ...user, delivery_email: "Moved@example.com" });
  const idOf = (address: string) =>
    readRecord<number>(chat.services.store.kv, userKeys.byEmail(chat.realm.id, address));
  assert.deepEqual([await idOf("mover@example.com"), await idOf("moved@EXAMPLE.com")], [null, user.id]);
  await assert.rejects(put(chat, { ...user, delivery_email: "ADMIN@example.com" }), {
    message: "Email is already in use.",
  });
  await put(chat, { ...user, delivery_email: "MOVED@example.com" });
  assert.equal(await idOf("moved@example.com"), user.id);
});

Deno.test("putUser() updates the lists of bots by owner and limits their length", async () => {
  await using chat = await startChat();
  const owner = chat.admin.id;
  const list = () => change(chat, (tx) => ownedBots.get(tx, ownerOf(chat.realm.id, owner)));
  const bots: UserRecord[] = [];
  for (let index = 0; index < ownedBots.max; index++) bots.push(await add(chat, `bot${index}`, 400, owner));
  const [first] = bots;
  assert.ok(first !== undefined);
  assert.deepEqual(await list(), bots.map(({ id }) => id));
  await assert.rejects(add(chat, "toomany", 400, owner), { message: /80 active bots at most/ });
  await put(chat, { ...first, is_active: false });
  assert.equal((await list()).includes(first.id), false);
  await put(chat, { ...first, bot_owner_id: chat.member.id });
  assert.equal((await list()).length, ownedBots.max - 1);
  for (const bot of bots) await put(chat, { ...bot, bot_owner_id: null });
  assert.deepEqual(await list(), []);
});

Deno.test("listUsers() returns the same list until a user changes", async () => {
  await using chat = await startChat();
  const { chat: app, store } = chat.services;
  const list = () => listUsers(app, chat.realm.id);
  const first = await list();
  assert.deepEqual(
    first.map(({ id }) => id),
    first.map(({ id }) => id).toSorted((one, other) => one - other),
  );
  assert.equal(await list(), first);
  const added = await add(chat, "newcomer", 400);
  assert.deepEqual(await list(), [...first, added]);
  await put(chat, { ...added, full_name: "Renamed" });
  assert.equal((await list()).at(-1)?.full_name, "Renamed");
  await writeRows(store, [[userKeys.user(chat.realm.id, added.id), { ...added, is_active: false }]]);
  assert.equal((await list()).at(-1)?.is_active, false);
  assert.notEqual(first.at(-1)?.id, added.id);
});
