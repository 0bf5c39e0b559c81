import { deriveApiKey } from "@/lib/chat/people/auth/api_keys.ts";
import type { UserRecord } from "@/lib/chat/organization/users/model.ts";
import { openSottoStore } from "@/lib/services/sotto_store.ts";
import { addPeople } from "@/tests/seeding/seed_people.ts";
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
  const members = await addPeople(
    app,
    realm,
    Array.from({ length: count }, (_, number) => loadMember(number)),
  );
  return { owner: toLoadUser(owner), members: members.map(toLoadUser) };
}
