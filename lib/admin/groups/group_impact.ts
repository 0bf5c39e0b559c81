import { peekPermissionContext } from "@/lib/chat/permissions/store.ts";
import {
  requireSubgroups,
  withMembers,
  withoutMembers,
  withSubgroups,
} from "@/lib/chat/user_groups/model/rules.ts";
import { AppError } from "@/lib/core/errors.ts";
import { FormRefusal } from "../admin_page.ts";
import { type AdminRequest, pathId } from "../admin_request.ts";
import type { FormFields } from "../form_fields.ts";
import {
  findGroupImpact,
  findPermissionImpact,
  type PermissionImpact,
} from "../permissions/permission_impact.ts";
import { readPermissionFields } from "../permissions/permission_values.ts";
import { readAdded, readRemoved } from "./group_member_forms.ts";

/** Calculates the effect of one of the forms of a group's page, which its field `edit` names. */
export async function findImpact(request: AdminRequest, fields: FormFields): Promise<PermissionImpact> {
  const { chat, realm, messages } = request;
  const permissions = await peekPermissionContext(chat, realm);
  const group = permissions.groups.get(pathId(request));
  if (group === undefined) throw new AppError("NOT_FOUND", messages.common.gone);
  switch (fields.text("edit")) {
    case "add_people":
      return await findGroupImpact(request, withMembers(group, (await readAdded(request, fields)).ids));
    case "remove_people":
      return await findGroupImpact(request, withoutMembers(group, (await readRemoved(request, fields)).ids));
    case "add_group": {
      const id = fields.int("group");
      if (id === null) throw new FormRefusal({ group: messages.groups.chooseGroup });
      requireSubgroups(permissions, [id]);
      return await findGroupImpact(request, withSubgroups(permissions, group, [id]));
    }
    default: {
      const updates = await readPermissionFields(request, fields, "user_group");
      return await findPermissionImpact(request, { kind: "user_group", owner: group }, updates);
    }
  }
}
