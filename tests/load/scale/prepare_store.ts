import { channelNames } from "@/lib/chat/channels/store.ts";
import { listRealms } from "@/lib/chat/organization/organizations/model.ts";
import { foldEmail, userKeys, type UserRecord } from "@/lib/chat/organization/users/model.ts";
import { createPasswordHasher } from "@/lib/core/password.ts";
import type { Kv } from "@/lib/store/kv.ts";
import { readRecord, toValue } from "@/lib/store/key.ts";
import type { Store } from "@/lib/store/open.ts";
import { linkKeys } from "@/lib/links/store.ts";
import { openSottoStore } from "@/lib/services/sotto_store.ts";
import { emailOf, PEOPLE } from "@/tests/tools/demo/content/people.ts";
import { toChannel } from "@/tests/tools/demo/large/crowd.ts";

/** Address of the owner of a demo. */
export const OWNER_EMAIL: string = emailOf("maren");
/** Name of the owner of a demo. */
export const OWNER_NAME: string = PEOPLE.find(({ key }) => emailOf(key) === OWNER_EMAIL)?.name ?? "";
/** Name of the busiest channel of a large demo. */
export const CHANNEL: string = toChannel(0).name;
/** Number of visits of the link that is measured, or the next number that a link has. */
const LINK_VISITS = 20;

/** Records of a demo's store that requests name. */
export interface SceneRecords {
  readonly channelId: number;
  /** Id of a person who receives direct messages. */
  readonly partnerId: number;
  readonly short: string;
}

/**
 * Sets the password of the owner of a demo's store, and finds records for requests.
 * @throws Error for a store that is no large demo.
 */
export async function prepareStore(path: string, password: string): Promise<SceneRecords> {
  using store = await openSottoStore(path);
  const { kv } = store;
  const [realm] = await listRealms({ store });
  if (realm === undefined) throw new Error(`${path} has no organization`);
  const ownerId = await getNumber(store, userKeys.byEmail(realm.id, foldEmail(OWNER_EMAIL)));
  const owner = await readRecord<UserRecord>(kv, userKeys.user(realm.id, ownerId));
  if (owner === null) throw new Error(`${path} has no owner`);
  const password_hash = await createPasswordHasher().hash(password);
  await kv.set(userKeys.user(realm.id, ownerId), { ...owner, password_hash });
  return {
    channelId: await getNumber(store, channelNames.key(realm.id, CHANNEL)),
    partnerId: await getNumber(store, userKeys.byEmail(realm.id, emailOf("aiko"))),
    short: await findLink(kv),
  };
}

async function getNumber({ kv, location }: Store, key: Deno.KvKey): Promise<number> {
  const found = await readRecord<number>(kv, key);
  if (found === null) throw new Error(`${location} has no ${key.join(" ")}; was it created with --large?`);
  return found;
}

async function findLink(kv: Kv): Promise<string> {
  const range = { prefix: linkKeys.rank(), start: [...linkKeys.rank(), LINK_VISITS] };
  for await (const { key } of kv.list(range, { limit: 1 })) return toValue<string>(key[2]);
  throw new Error("No link has enough visits");
}
