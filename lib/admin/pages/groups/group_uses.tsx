import { permissionRule } from "@/lib/chat/organization/permissions/model/registry.ts";
import { useAdmin } from "@/components/admin/admin_view.ts";
import { PossibleLink } from "@/components/admin/PossibleLink.tsx";
import type { GroupRecord } from "@/lib/chat/organization/user_groups/model/group.ts";
import {
  type DeactivationObjection,
  listDeactivationObjections,
} from "@/lib/chat/organization/user_groups/store.ts";
import type { AdminRequest } from "@/lib/admin/admin_request.ts";
import { type GroupUser, toGroupUser } from "@/lib/admin/permissions/permission_impact.ts";

/** An object that uses a group, with the names of its settings that do. */
type GroupUse = Pick<GroupUser, "path" | "name" | "settings">;

/** Lists everything that uses a group and therefore prevents its deactivation. */
export async function listGroupUses(
  request: AdminRequest,
  { id }: GroupRecord,
): Promise<readonly GroupUse[]> {
  const { t } = request;
  const permissions = await request.readPermissions();
  const toUses = async (objection: DeactivationObjection): Promise<readonly GroupUse[]> => {
    if (objection.type === "subgroup") {
      return objection.supergroup_ids.map((id) => ({
        path: `/admin/groups/${id}`,
        name: permissions.groups.get(id)?.name ?? String(id),
        settings: [t("Contains this group")],
      }));
    }
    const { path, name, kind, settings } = await toGroupUser(request, permissions, objection);
    const shown = settings.map((one) => t(permissionRule(kind, one).label));
    return [{ path, name: name || t("Organization"), settings: shown }];
  };
  const objections = await listDeactivationObjections(request.chat, permissions, id);
  const uses = (await Promise.all(objections.map(toUses))).flat();
  // A parent group may also name it in a setting.
  return Array.from(Map.groupBy(uses, ({ path }) => path), ([path, same]) => ({
    ...{ path, name: same[0]?.name ?? "" },
    settings: same.flatMap(({ settings }) => settings),
  }));
}

/** Lists the settings that use a group, with links to their pages. */
export function GroupUses({ uses }: { uses: readonly GroupUse[] }) {
  const { t, formatter } = useAdmin();
  if (uses.length === 0) return <p class="text-soft">{t("This group is not used anywhere.")}</p>;
  return (
    <ul class="border-t border-rule">
      {uses.map(({ path, name, settings }) => (
        <li key={path} class="flex flex-wrap gap-x-4 border-b border-rule py-2.5">
          <span class="min-w-0 flex-[1_1_12rem]">
            <PossibleLink path={path} look="font-medium break-words">
              <bdi>{name}</bdi>
            </PossibleLink>
          </span>
          <span class="min-w-0 flex-[2_1_16rem] text-soft">{formatter.list(settings)}</span>
        </li>
      ))}
    </ul>
  );
}
