import type { ChatApp } from "../app.ts";
import { groupKeys } from "../permissions/group.ts";
import type { PermissionContext } from "../permissions/group_world.ts";

/** One reason why a group cannot go out of use: a group that holds it, or whose permissions name it and which. */
export type Objection =
  & { readonly settings: readonly string[] }
  & (
    | { readonly type: "subgroup"; readonly supergroup_ids: readonly number[] }
    | { readonly type: "channel"; readonly channel_id: number }
    | { readonly type: "user_group"; readonly group_id: number }
    | { readonly type: "realm" }
  );

/**
 * What uses a group: active groups that hold it, then channels, groups and the organization by their permissions.
 * Reads the store itself: whoever changes a use changes the groups' version too, which the transaction that read
 * `permissions` has checked when it commits.
 */
export async function listObjections(
  { store }: Pick<ChatApp, "store">,
  permissions: PermissionContext,
  groupId: number,
): Promise<Objection[]> {
  const uses: Uses = { channel: new Map(), user_group: new Map(), realm: new Map() };
  for await (const { key } of store.kv.list({ prefix: [...groupKeys.uses(permissions.realm.id, groupId)] })) {
    const [kind, owner, setting] = key.slice(-3);
    if (typeof owner !== "number" || typeof setting !== "string") continue;
    if (kind !== "channel" && kind !== "user_group" && kind !== "realm") continue;
    uses[kind].set(owner, [...uses[kind].get(owner) ?? [], setting]);
  }
  const supergroup_ids = [...permissions.groups.values()]
    .filter((group) => !group.deactivated && group.subgroups.includes(groupId)).map(({ id }) => id);
  return [
    ...(supergroup_ids.length === 0 ? [] : [{ type: "subgroup", supergroup_ids, settings: [] } as const]),
    ...Array.from(
      uses.channel,
      ([channel_id, settings]) => ({ type: "channel", channel_id, settings }) as const,
    ),
    ...Array.from(
      uses.user_group,
      ([group_id, settings]) => ({ type: "user_group", group_id, settings }) as const,
    ),
    ...Array.from(uses.realm, ([, settings]) => ({ type: "realm", settings }) as const),
  ];
}

/** The permissions that name the group, by the kind of their owner and its id. */
type Uses = Readonly<Record<"channel" | "user_group" | "realm", Map<number, readonly string[]>>>;
