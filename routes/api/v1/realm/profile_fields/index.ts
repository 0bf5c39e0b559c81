import { createField } from "@/lib/chat/profile_fields/create.ts";
import { listFields } from "@/lib/chat/profile_fields/list.ts";
import { createFieldParams, reorderFieldsParams } from "@/lib/chat/profile_fields/params.ts";
import { reorderFields } from "@/lib/chat/profile_fields/reorder.ts";
import { madeFieldSchema, profileFieldsSchema } from "@/lib/chat/profile_fields/schema.ts";
import { apiEndpoint } from "@/lib/http/api_endpoint.ts";
import { methods } from "@/lib/http/methods.ts";

export const handler = methods({
  GET: apiEndpoint({
    summary: "List the profile fields",
    who: "anyone",
    params: {},
    success: profileFieldsSchema,
  }, async ({ app, realm }) => ({ custom_fields: await listFields(app, realm.id) })),
  POST: apiEndpoint({
    summary: "Create a profile field",
    who: "admin",
    params: createFieldParams,
    success: madeFieldSchema,
  }, async ({ app, realm, user, params }) => {
    const { id } = await createField(app, { realm, actingUser: user }, params);
    return { id };
  }),
  PATCH: apiEndpoint({
    summary: "Reorder the profile fields",
    who: "admin",
    params: reorderFieldsParams,
  }, async ({ app, realm, user, params }) => {
    await reorderFields(app, { realm, actingUser: user }, params.order);
  }),
});
