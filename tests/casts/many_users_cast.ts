import { userKeys, type UserRecord } from "@/lib/chat/organization/users/model.ts";
import { readRecord } from "@/lib/store/key.ts";
import type { TestChat } from "@/tests/helpers/chat.ts";
import { writeRows } from "@/tests/helpers/write_rows.ts";

/** Id of the first stored user, far beyond those of users that are added through the API. */
const FIRST_ID = 100_000;

/** Stores active members as adding them leaves them, without the indexes of addresses, and returns their ids. */
export async function seedUsers(
  { services, realm, member }: TestChat,
  count: number,
  toName: (id: number) => string = (id) => `User ${id}`,
): Promise<number[]> {
  const { store } = services;
  const model = await readRecord<UserRecord>(store.kv, userKeys.user(realm.id, member.id));
  const ids = Array.from({ length: count }, (_, at) => FIRST_ID + at);
  await writeRows(
    store,
    ids.map((id) => [
      userKeys.user(realm.id, id),
      { ...model, id, delivery_email: `user${id}@example.com`, full_name: toName(id) },
    ]),
  );
  return ids;
}
