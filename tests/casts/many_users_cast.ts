import { userKeys, type UserRecord } from "@/lib/chat/users/model.ts";
import { BulkWriter } from "@/lib/store/bulk_writer.ts";
import { readRecord } from "@/lib/store/key.ts";
import type { TestChat } from "@/tests/helpers/chat.ts";

/** Id of the first stored user, far beyond those of users that are added through the API. */
const FIRST_ID = 100_000;
/** Size of a stored user, in bytes, at most. */
const RECORD_BYTES = 2000;

/** Stores active members as adding them leaves them, without the indexes of addresses, and returns their ids. */
export async function seedUsers(
  { services, realm, member }: TestChat,
  count: number,
  toName: (id: number) => string = (id) => `User ${id}`,
): Promise<number[]> {
  const { kv } = services.store;
  const model = await readRecord<UserRecord>(kv, userKeys.user(realm.id, member.id));
  const writer = new BulkWriter(kv);
  const ids = Array.from({ length: count }, (_, at) => FIRST_ID + at);
  for (const id of ids) {
    const user = { ...model, id, delivery_email: `user${id}@example.com`, full_name: toName(id) };
    await writer.set(userKeys.user(realm.id, id), user, RECORD_BYTES);
  }
  await writer.flush();
  await kv.atomic().sum([...userKeys.version(realm.id)], 1n).commit();
  return ids;
}
