import { deleteField } from "@/lib/chat/profile_fields/delete.ts";
import { updateFieldParams } from "@/lib/chat/profile_fields/params.ts";
import { updateField } from "@/lib/chat/profile_fields/update.ts";
import { apiEndpoint } from "@/lib/http/api_endpoint.ts";
import { methods } from "@/lib/http/methods.ts";

export const handler = methods({
  PATCH: apiEndpoint({
    summary: "Update a profile field",
    description: "Changes what is sent; the field's type stays what it is.",
    who: "admin",
    params: updateFieldParams,
    ids: ["field_id"],
  }, async ({ app, realm, user, params, ids }) => {
    await updateField(app, { realm, actingUser: user }, { fieldId: ids.field_id, changes: params });
  }),
  DELETE: apiEndpoint({
    summary: "Delete a profile field",
    description: "Everybody's values of it go with it.",
    who: "admin",
    params: {},
    ids: ["field_id"],
  }, async ({ app, realm, user, ids }) => {
    await deleteField(app, { realm, actingUser: user }, ids.field_id);
  }),
});
