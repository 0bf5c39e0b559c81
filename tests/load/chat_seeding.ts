import { addUser } from "@/lib/chat/permissions/add_user.ts";
import { deriveApiKey } from "@/lib/chat/auth/model.ts";
import type { UserRecord } from "@/lib/chat/users/model.ts";
import { openSottoStore } from "@/lib/services/sotto_store.ts";
import { transact } from "@/lib/kv/transact.ts";
import { loadMember, makeLoadRealm } from "./load_realm.ts";

/** People of the organization that loads act as, its owner aside. */
const MEMBERS = 200;

/** A user of a load. */
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

/** People of an organization of the load. */
export interface ChatSize {
  /** Password of the owner; null, the default, for none. */
  readonly ownerPassword?: string | null;
  /** Number of members, `MEMBERS` by default. */
  readonly count?: number;
}

/** Makes an organization with its owner and members in a new store, as the operator's command line does. */
export async function seedChat(
  path: string,
  { ownerPassword = null, count = MEMBERS }: ChatSize = {},
): Promise<ChatPeople> {
  using store = await openSottoStore(path);
  const { app, created: { realm, owner } } = await makeLoadRealm(store, ownerPassword);
  const toLoadUser = (user: UserRecord): LoadUser => ({
    id: user.id,
    authorization: `Basic ${btoa(`${user.delivery_email}:${deriveApiKey(app, realm.id, user)}`)}`,
  });
  const members: LoadUser[] = [];
  for (let number = 0; number < count; number++) {
    const user = loadMember(number);
    members.push(toLoadUser(await transact(store, (tx) => addUser(app, tx, { realm, user }))));
  }
  return { owner: toLoadUser(owner), members };
}
