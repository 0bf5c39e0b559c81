import type { PermissionContext } from "@/lib/chat/permissions/group_world.ts";
import { channelKeys, type ChannelRecord } from "@/lib/chat/channels/channel.ts";
import { listObjections, type Objection } from "@/lib/chat/user_groups/objections.ts";
import type { PermissionOwner } from "@/lib/chat/permissions/registry.ts";
import type { AdminRequest } from "./admin_request.ts";

/** Something that uses a group: where it is, and what of it in words. */
export interface GroupUse {
  /** The page on which it is changed. */
  readonly path: string;
  readonly name: string;
  /** What of it uses the group, in words. */
  readonly settings: readonly string[];
}

/** Everything that uses a group and so keeps it from being deactivated. */
export async function listGroupUses(
  request: AdminRequest,
  permissions: PermissionContext,
  groupId: number,
): Promise<readonly GroupUse[]> {
  const objections = await listObjections(request.chat, permissions, groupId);
  const uses = await Promise.all(objections.map((objection) => toUses(request, permissions, objection)));
  // A group may hold it and name it as well.
  const byPath = Map.groupBy(uses.flat(), ({ path }) => path);
  return [...byPath.values()].flatMap(([first, ...others]) =>
    first === undefined
      ? []
      : [{ ...first, settings: [first, ...others].flatMap(({ settings }) => settings) }]
  );
}

async function toUses(
  request: AdminRequest,
  permissions: PermissionContext,
  objection: Objection,
): Promise<readonly GroupUse[]> {
  const { words } = request;
  const toGroup = (id: number) => ({
    path: `/admin/groups/${id}`,
    name: permissions.groups.get(id)?.name ?? String(id),
  });
  const labels = (kind: PermissionOwner) =>
    objection.settings.map((setting) => words.permissions.settings[kind][setting]?.label ?? setting);
  switch (objection.type) {
    case "subgroup":
      return objection.supergroup_ids.map((id) => ({ ...toGroup(id), settings: [words.groups.useByGroups] }));
    case "user_group":
      return [{ ...toGroup(objection.group_id), settings: labels("user_group") }];
    case "realm":
      return [{ path: "/admin/organization", name: words.groups.useByRealm, settings: labels("realm") }];
    case "channel":
      return [{ ...await toChannel(request, objection.channel_id), settings: labels("channel") }];
  }
}

async function toChannel({ chat, realm }: AdminRequest, id: number) {
  const channel = await chat.reads.read<ChannelRecord>(channelKeys.channel(realm.id, id));
  return { path: `/admin/channels/${id}`, name: `#${channel?.name ?? id}` };
}
