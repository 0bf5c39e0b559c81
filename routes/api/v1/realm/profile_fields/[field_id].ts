import { deleteField, updateField } from "@/lib/chat/people/profile_fields/change_fields.ts";
import { updateFieldParams } from "@/lib/chat/people/profile_fields/api.ts";
import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";

export const handler = methods({
  PATCH: apiEndpoint({
    summary: "Update a profile field",
    description: "Omitted parameters keep their value. The type cannot change.",
    access: "admin",
    params: updateFieldParams,
    ids: ["field_id"],
  }, ({ app, caller, params, ids }) => updateField(app, caller, { fieldId: ids.field_id, changes: params })),
  DELETE: apiEndpoint({
    summary: "Delete a profile field",
    description: "Also deletes all users' values of the field.",
    access: "admin",
    ids: ["field_id"],
  }, ({ app, caller, ids }) => deleteField(app, caller, ids.field_id)),
});
