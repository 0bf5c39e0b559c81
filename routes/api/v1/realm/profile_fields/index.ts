import { createField, reorderFields } from "@/lib/chat/people/profile_fields/change_fields.ts";
import {
  createdFieldSchema,
  createFieldParams,
  listFields,
  profileFieldsSchema,
  reorderFieldsParams,
} from "@/lib/chat/people/profile_fields/api.ts";
import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";

export const handler = methods({
  GET: apiEndpoint({
    summary: "List the profile fields",
    access: "anyone",
    success: profileFieldsSchema,
  }, async ({ app, realm }) => ({ custom_fields: await listFields(app, realm.id) })),
  POST: apiEndpoint({
    summary: "Create a profile field",
    access: "admin",
    params: createFieldParams,
    success: createdFieldSchema,
  }, async ({ app, caller, params }) => {
    const { id } = await createField(app, caller, params);
    return { id };
  }),
  PATCH: apiEndpoint({
    summary: "Reorder the profile fields",
    access: "admin",
    params: reorderFieldsParams,
  }, ({ app, caller, params }) => reorderFields(app, caller, params.order)),
});
