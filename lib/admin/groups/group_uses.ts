import type { PermissionContext } from "@/lib/chat/permissions/model/membership.ts";
import { channelKeys, type ChannelRecord } from "@/lib/chat/channels/model/channel.ts";
import { type DeactivationObjection, listDeactivationObjections } from "@/lib/chat/user_groups/store.ts";
import type { PermissionOwner } from "@/lib/chat/permissions/model/registry.ts";
import type { AdminRequest } from "../admin_request.ts";

/** A place where a group is used. */
export interface GroupUse {
  /** Path of the page that changes it. */
  readonly path: string;
  readonly name: string;
  /** Names of the settings that use the group. */
  readonly settings: readonly string[];
}

/** Lists everything that uses a group and therefore prevents its deactivation. */
export async function listGroupUses(
  request: AdminRequest,
  permissions: PermissionContext,
  groupId: number,
): Promise<readonly GroupUse[]> {
  const objections = await listDeactivationObjections(request.chat, permissions, groupId);
  const uses = await Promise.all(objections.map((objection) => toUses(request, permissions, objection)));
  // A parent group may also name it in a setting.
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
  objection: DeactivationObjection,
): Promise<readonly GroupUse[]> {
  const { messages } = request;
  const toGroup = (id: number) => ({
    path: `/admin/groups/${id}`,
    name: permissions.groups.get(id)?.name ?? String(id),
  });
  const labels = (kind: PermissionOwner) =>
    objection.settings.map((setting) => messages.permissions.settings[kind][setting]?.label ?? setting);
  switch (objection.type) {
    case "subgroup":
      return objection.supergroup_ids.map((id) => ({
        ...toGroup(id),
        settings: [messages.groups.useByGroups],
      }));
    case "user_group":
      return [{ ...toGroup(objection.group_id), settings: labels("user_group") }];
    case "realm":
      return [{ path: "/admin/organization", name: messages.groups.useByRealm, settings: labels("realm") }];
    case "channel":
      return [{ ...await toChannel(request, objection.channel_id), settings: labels("channel") }];
  }
}

async function toChannel({ chat, realm }: AdminRequest, id: number) {
  const channel = await chat.reads.read<ChannelRecord>(channelKeys.channel(realm.id, id));
  return { path: `/admin/channels/${id}`, name: `#${channel?.name ?? id}` };
}
