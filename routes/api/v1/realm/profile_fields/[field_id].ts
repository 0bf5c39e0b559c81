import { deleteField, updateField } from "@/lib/chat/people/profile_fields/change_fields.ts";
import { updateFieldParams } from "@/lib/chat/people/profile_fields/api.ts";
import { apiEndpoint } from "@/lib/api/api_endpoint.ts";
import { methods } from "@/lib/api/methods.ts";

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
    params: {},
    ids: ["field_id"],
  }, ({ app, caller, ids }) => deleteField(app, caller, ids.field_id)),
});
