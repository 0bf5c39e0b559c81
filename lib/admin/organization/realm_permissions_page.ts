import { permissionRule } from "@/lib/chat/permissions/model/registry.ts";
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

/** Sections of the permissions, each with a form. */
const PERMISSION_SECTIONS = ["people", "channels", "groups", "messages"] as const;

/** Name of a section. */
export type PermissionSection = typeof PERMISSION_SECTIONS[number];

/** A permission, and whether the viewer may change it. */
export interface RealmPermission {
  readonly permission: ShownPermission;
  readonly isLocked: boolean;
}

/** Data of the organization's permissions page. */
export interface RealmPermissionsData {
  readonly sections: Readonly<Record<PermissionSection, readonly RealmPermission[]>>;
}

/** Section of each permission. */
const SECTION_OF: Readonly<Record<string, PermissionSection>> = {
  can_access_all_users_group: "people",
  can_invite_users_group: "people",
  create_multiuse_invite_group: "people",
  can_create_public_channel_group: "channels",
  can_create_private_channel_group: "channels",
  can_create_web_public_channel_group: "channels",
  can_add_subscribers_group: "channels",
  can_create_groups: "groups",
  can_manage_all_groups: "groups",
};

/** The organization's permissions page. */
export const realmPermissionsPage: AdminPageSpec<RealmPermissionsData> = {
  load: loadRealmPermissions,
  actions: { save: { run: save }, ...impactActions(findImpact) },
};

async function loadRealmPermissions(request: AdminRequest): Promise<RealmPermissionsData> {
  const permissions = await loadPermissions(request, { kind: "realm", owner: request.realm });
  const order = Object.keys(SECTION_OF);
  const place = ({ setting }: ShownPermission) =>
    order.includes(setting) ? order.indexOf(setting) : order.length;
  const within = (section: PermissionSection) =>
    permissions.filter(({ setting }) => (SECTION_OF[setting] ?? "messages") === section)
      .toSorted((one, other) => place(one) - place(other))
      .map((permission) => ({
        permission,
        isLocked: permissionRule("realm", permission.setting).isOwnerOnly === true && !isOwner(request.user),
      }));
  return {
    sections: {
      people: within("people"),
      channels: within("channels"),
      groups: within("groups"),
      messages: within("messages"),
    },
  };
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
  const section = PERMISSION_SECTIONS.find((name) => name === fields.text("section")) ?? "people";
  const to = `/admin/organization/permissions#${section}`;
  if (Object.keys(updates).length === 0) return { flash: text.permissionsSame, to };
  const changes = { ...toChanges({}), ...updates };
  await explainPermissions(
    request,
    () => updateRealm(chat, caller, changes),
  );
  return { flash: text.permissionsSaved, to };
}
