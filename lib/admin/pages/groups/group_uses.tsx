import type { PermissionContext } from "@/lib/chat/organization/permissions/model/membership.ts";
import { Link } from "@/components/Link.tsx";
import { hasMetadataAccess } from "@/lib/chat/organization/channels/model/access.ts";
import { readChannelViewer } from "@/lib/chat/channels/store.ts";
import type { PermissionOwner } from "@/lib/chat/organization/permissions/model/registry.ts";
import {
  type DeactivationObjection,
  listDeactivationObjections,
} from "@/lib/chat/organization/user_groups/store.ts";
import type { AdminRequest } from "@/lib/admin/admin_request.ts";
import { useTexts } from "@/lib/admin/declare/page.tsx";

/** A place where a group is used. */
export interface GroupUse {
  /** Path of the page that changes it; the user may not open it where they lack permission. */
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
  { chat, realm, user, messages, t }: AdminRequest,
  permissions: PermissionContext,
  objection: DeactivationObjection,
): Promise<readonly GroupUse[]> {
  const toGroup = (id: number) => ({
    path: `/admin/groups/${id}`,
    name: permissions.groups.get(id)?.name ?? String(id),
  });
  const labels = (kind: PermissionOwner) =>
    objection.settings.map((setting) => messages.permissions.settings[kind][setting]?.label ?? setting);
  switch (objection.type) {
    case "subgroup":
      return objection.supergroup_ids.map((id) => ({ ...toGroup(id), settings: [t("Contains this group")] }));
    case "user_group":
      return [{ ...toGroup(objection.group_id), settings: labels("user_group") }];
    case "realm":
      return [{ path: "/admin/organization", name: t("Organization"), settings: labels("realm") }];
    case "channel": {
      const id = objection.channel_id;
      const viewer = await readChannelViewer({ get: chat.reads.read }, {
        realmId: realm.id,
        channelId: id,
        user,
      });
      const isVisible = viewer !== null && hasMetadataAccess(permissions, viewer);
      const name = isVisible ? `#${viewer.channel.name}` : messages.organization.hiddenChannel;
      return [{ path: `/admin/channels/${id}`, name, settings: labels("channel") }];
    }
  }
}

/** Lists the settings that use a group, with links to their pages. */
export function GroupUses({ uses }: { uses: readonly GroupUse[] }) {
  const { t, formatter, opens } = useTexts(null);
  if (uses.length === 0) return <p class="text-soft">{t("This group is not used anywhere.")}</p>;
  return (
    <ul class="border-t border-rule">
      {uses.map(({ path, name, settings }) => (
        <li key={path} class="flex flex-wrap gap-x-4 border-b border-rule py-2.5">
          <span class="min-w-0 flex-[1_1_12rem]">
            {opens(path)
              ? (
                <Link class="link font-medium break-words" href={path}>
                  <bdi>{name}</bdi>
                </Link>
              )
              : <bdi>{name}</bdi>}
          </span>
          <span class="min-w-0 flex-[2_1_16rem] text-soft">{formatter.list(settings)}</span>
        </li>
      ))}
    </ul>
  );
}
