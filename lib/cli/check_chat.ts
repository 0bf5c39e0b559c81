import { type GroupSetting, groupsOf } from "@/lib/chat/group_setting.ts";
import { groupKeys, type GroupRecord } from "@/lib/chat/permissions/group.ts";
import { systemGroupName } from "@/lib/chat/permissions/system_groups.ts";
import { realmKeys, type RealmRecord } from "@/lib/chat/realm/realm.ts";
import { listedOwner } from "@/lib/chat/users/bots_of.ts";
import { isActiveOwner } from "@/lib/chat/users/owner_count.ts";
import { foldEmail, userKeys, type UserRecord } from "@/lib/chat/users/user.ts";
import { type Key, readRecord, toEntry } from "@/lib/kv/key.ts";

/** Problems that are spelled out; more are left out. */
const MAX_LISTED = 100;

/** What a check of the chat found. */
export interface ChatReport {
  readonly realms: number;
  readonly users: number;
  readonly groups: number;
  /** A sentence for each index or counter that does not agree with its records. */
  readonly problems: readonly string[];
}

type Complain = (sentence: string) => void;

/** Compares what is found and counted by people and groups with their records, in every organization. */
export async function checkChat(kv: Deno.Kv): Promise<ChatReport> {
  const problems: string[] = [];
  const counts = { realms: 0, users: 0, groups: 0 };
  for (const realm of await listBelow<RealmRecord>(kv, realmKeys.realms)) {
    const complain = (sentence: string) => {
      if (problems.length < MAX_LISTED) problems.push(`Organization ${realm.id}: ${sentence}`);
    };
    if (await readRecord(kv, realmKeys.bySubdomain(realm.subdomain)) !== realm.id) {
      complain(`its subdomain "${realm.subdomain}" does not lead to it.`);
    }
    counts.realms++;
    counts.users += await checkUsers(kv, realm.id, complain);
    counts.groups += await checkGroups(kv, realm, complain);
  }
  return { ...counts, problems };
}

async function checkUsers(kv: Deno.Kv, realmId: number, complain: Complain): Promise<number> {
  const users = await listBelow<UserRecord>(kv, userKeys.users(realmId));
  compare(complain, "addresses", {
    wanted: users.map((user) => [foldEmail(user.delivery_email), user.id]),
    found: await indexBelow(kv, [realmId, "user_by_email"]),
  });
  const bots = Map.groupBy(users.filter((user) => listedOwner(user) !== null), listedOwner);
  compare(complain, "lists of bots", {
    wanted: [...bots].map(([ownerId, owned]) => [String(ownerId), owned.map(({ id }) => id)]),
    found: await indexBelow(kv, [realmId, "bots"]),
  });
  const owners = users.filter(isActiveOwner).length;
  const counted = await readRecord<number>(kv, userKeys.ownerCount(realmId)) ?? 0;
  if (counted !== owners) complain(`the count of owners is ${counted}; there are ${owners}.`);
  return users.length;
}

async function checkGroups(kv: Deno.Kv, realm: RealmRecord, complain: Complain): Promise<number> {
  const groups = await listBelow<GroupRecord>(kv, groupKeys.groups(realm.id));
  compare(complain, "names of groups", {
    wanted: groups.map(({ name, id }) => [name, id]),
    found: await indexBelow(kv, [realm.id, "group_by_name"]),
  });
  const inUse = groups.filter(({ deactivated }) => !deactivated);
  const wanted = [
    ...usesOf(realm, { kind: "realm", id: realm.id, permissions: realm.permissions }),
    ...inUse.flatMap(({ id, permissions }) => usesOf(realm, { kind: "user_group", id, permissions })),
  ];
  const uses = await indexBelow(kv, [realm.id, "group_use"]);
  const found = uses.filter(([name]) => / (realm|user_group) /.test(name));
  compare(complain, "uses of groups", { wanted, found });
  return groups.length;
}

/** The groups that an owner's permissions name, system groups aside, as their index has them. */
function usesOf(
  realm: RealmRecord,
  { kind, id, permissions }: {
    kind: string;
    id: number;
    permissions: Readonly<Record<string, GroupSetting>>;
  },
): [string, unknown][] {
  return Object.entries(permissions).flatMap(([setting, value]) =>
    groupsOf(value).filter((group) => systemGroupName(realm, group) === null)
      .map((group): [string, unknown] => [`${group} ${kind} ${id} ${setting}`, true])
  );
}

type Index = readonly (readonly [name: string, value: unknown])[];

function compare(complain: Complain, what: string, { wanted, found }: { wanted: Index; found: Index }): void {
  const rest = new Map(found.map(([name, value]) => [name, JSON.stringify(value)]));
  for (const [name, value] of wanted) {
    if (rest.get(name) !== JSON.stringify(value)) {
      complain(`in its ${what}, ${name} is ${rest.get(name) ?? "missing"}, not ${JSON.stringify(value)}.`);
    }
    rest.delete(name);
  }
  for (const name of rest.keys()) complain(`in its ${what}, ${name} belongs to nothing.`);
}

async function listBelow<T>(kv: Deno.Kv, prefix: Key): Promise<T[]> {
  const values: T[] = [];
  for await (const entry of kv.list({ prefix: [...prefix] }, { batchSize: 500 })) {
    values.push(toEntry<T>(entry).value);
  }
  return values;
}

/** What stands below a prefix, named by the rest of each key. */
async function indexBelow(kv: Deno.Kv, prefix: Key): Promise<[string, unknown][]> {
  const entries: [string, unknown][] = [];
  for await (const { key, value } of kv.list({ prefix: [...prefix] }, { batchSize: 500 })) {
    entries.push([key.slice(prefix.length).join(" "), value]);
  }
  return entries;
}
