import { mapValues } from "es-toolkit/object/mapValues";
import { permissionRule, type PERMISSIONS } from "@/lib/chat/permissions/model/registry.ts";
import { updateRealm } from "@/lib/chat/organizations/update_realm.ts";
import { isOwner } from "@/lib/chat/users/model.ts";
import type { AdminPageSpec, Done } from "../admin_page.ts";
import type { AdminRequest } from "../admin_request.ts";
import type { FormFields } from "../form_fields.ts";
import {
  explainPermissions,
  loadPermissions,
  readPermissionFields,
  type ShownPermission,
} from "../permissions/permission_values.ts";
import { impactActions } from "../permissions/impact_preview.ts";
import { findPermissionImpact, type PermissionImpact } from "../permissions/permission_impact.ts";
import { toChanges } from "./realm_sections.ts";

/** Permissions of each section, which has a form; the last one shows all others. */
const SECTIONS = {
  people: ["can_access_all_users_group", "can_invite_users_group", "create_multiuse_invite_group"],
  channels: [
    "can_create_public_channel_group",
    "can_create_private_channel_group",
    "can_create_web_public_channel_group",
    "can_add_subscribers_group",
  ],
  groups: ["can_create_groups", "can_manage_all_groups"],
  messages: [],
} satisfies Readonly<Record<string, readonly (keyof typeof PERMISSIONS.realm)[]>>;

/** Name of a section. */
export type PermissionSection = keyof typeof SECTIONS;

/** A permission, and whether the viewer may change it. */
export interface RealmPermission {
  readonly permission: ShownPermission;
  readonly isLocked: boolean;
}

/** Data of the organization's permissions page. */
export interface RealmPermissionsData {
  readonly sections: Readonly<Record<PermissionSection, readonly RealmPermission[]>>;
}

/** The organization's permissions page. */
export const realmPermissionsPage: AdminPageSpec<RealmPermissionsData> = {
  load: loadRealmPermissions,
  actions: { save: { run: save }, ...impactActions(findImpact) },
};

async function loadRealmPermissions(request: AdminRequest): Promise<RealmPermissionsData> {
  const permissions = await loadPermissions(request, { kind: "realm", owner: request.realm });
  const listed: readonly string[] = Object.values(SECTIONS).flat();
  const others = permissions.map(({ setting }) => setting).filter((setting) => !listed.includes(setting));
  const show = (names: readonly string[]) =>
    names.flatMap((name) => permissions.filter(({ setting }) => setting === name)).map((permission) => ({
      permission,
      isLocked: permissionRule("realm", permission.setting).isOwnerOnly === true && !isOwner(request.user),
    }));
  return { sections: { ...mapValues(SECTIONS, show), messages: show(others) } };
}

async function findImpact(request: AdminRequest, fields: FormFields): Promise<PermissionImpact> {
  const updates = await readPermissionFields(request, fields, "realm");
  return await findPermissionImpact(request, { kind: "realm" }, updates);
}

/**
 * Each value is sent with the one that the form showed, so that a concurrent change is reported and not
 * undone.
 */
async function save(request: AdminRequest, fields: FormFields): Promise<Done> {
  const { chat, caller, messages } = request;
  const text = messages.organization;
  const updates = await readPermissionFields(request, fields, "realm");
  const section = Object.keys(SECTIONS).find((name) => name === fields.text("section")) ?? "people";
  const to = `/admin/organization/permissions#${section}`;
  if (Object.keys(updates).length === 0) return { flash: text.permissionsSame, to };
  const changes = { ...toChanges({}), ...updates };
  await explainPermissions(
    request,
    () => updateRealm(chat, caller, changes),
  );
  return { flash: text.permissionsSaved, to };
}
