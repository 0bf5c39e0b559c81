import { AppError } from "@/lib/core/errors.ts";
import { FormRefusal } from "../admin_page.ts";
import type { AdminRequest } from "../admin_request.ts";
import { explainPermissions } from "../permissions/permission_values.ts";

/**
 * Runs a change of a group and assigns refusals to the form's fields.
 * @throws FormRefusal, and whatever else `work` throws.
 */
export async function explainGroup<T>(request: AdminRequest, work: () => Promise<T>): Promise<T> {
  try {
    return await explainPermissions(request, work);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === "CANNOT_DEACTIVATE_GROUP_IN_USE") {
      throw new FormRefusal({ form: request.messages.groups.nowInUse });
    }
    if (error.field !== "name") throw error;
    throw new FormRefusal({ name: error.message });
  }
}
