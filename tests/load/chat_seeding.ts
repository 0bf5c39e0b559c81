import { createChatApp } from "@/lib/chat/create_app.ts";
import { createRealm } from "@/lib/chat/organizations/create.ts";
import { addUser } from "@/lib/chat/permissions/add_user.ts";
import { apiKeyOf } from "@/lib/chat/users/api_key.ts";
import type { UserRecord } from "@/lib/chat/users/user.ts";
import { readConfig } from "@/lib/config.ts";
import { systemClock } from "@/lib/core/clock.ts";
import { createPasswordHasher } from "@/lib/core/password.ts";
import { readOrMakeSecretKey } from "@/lib/kv/secret_key.ts";
import { openSottoStore } from "@/lib/kv/sotto_store.ts";
import { transact } from "@/lib/kv/transact.ts";

/** People of the organization that loads act as, its owner aside. */
export const MEMBERS = 200;

/** Somebody that a load acts as. */
export interface LoadUser {
  readonly id: number;
  /** The Authorization header. */
  readonly authorization: string;
}

/** The people in a store for the chat. */
export interface ChatPeople {
  readonly owner: LoadUser;
  readonly members: readonly LoadUser[];
}

/** Makes an organization with its owner and `MEMBERS` members in a new store, as the operator's command line does. */
export async function seedChat(path: string): Promise<ChatPeople> {
  using store = await openSottoStore(path);
  const secretKey = await readOrMakeSecretKey(store);
  const app = createChatApp({
    store,
    secretKey,
    clock: systemClock,
    config: readConfig({ KV_URL: path }),
    passwords: createPasswordHasher(),
    pokeMailer: () => {},
  });
  const { realm, owner } = await createRealm(app, {
    name: "Load",
    subdomain: "",
    ownerEmail: "owner@example.com",
    ownerName: "Owner",
    ownerPassword: null,
  });
  const toLoadUser = (user: UserRecord): LoadUser => ({
    id: user.id,
    authorization: `Basic ${btoa(`${user.delivery_email}:${apiKeyOf(app, realm.id, user)}`)}`,
  });
  const members: LoadUser[] = [];
  for (let number = 0; number < MEMBERS; number++) {
    const user = {
      deliveryEmail: `member${number}@example.com`,
      fullName: `Member ${number}`,
      role: 400,
      passwordHash: null,
    } as const;
    members.push(toLoadUser(await transact(store, (tx) => addUser(app, tx, { realm, user }))));
  }
  return { owner: toLoadUser(owner), members };
}
