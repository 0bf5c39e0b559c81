import { deleteMessage } from "@/lib/chat/messages/delete.ts";
import { editMessage } from "@/lib/chat/messages/edit.ts";
import { editMessageParams } from "@/lib/chat/messages/edit_params.ts";
import { fetchMessage } from "@/lib/chat/messages/fetch_one.ts";
import { fetchMessageParams } from "@/lib/chat/messages/fetch_params.ts";
import { fetchedSchema } from "@/lib/chat/messages/schema.ts";
import { readEmoticons } from "@/lib/chat/user_settings/emoticons.ts";
import { apiEndpoint } from "@/lib/http/api_endpoint.ts";
import { methods } from "@/lib/http/methods.ts";

export const handler = methods({
  GET: apiEndpoint({
    summary: "Get a message",
    who: "anyone_or_spectator",
    ids: ["message_id"],
    params: fetchMessageParams,
    success: fetchedSchema,
  }, async ({ app, realm, user, ids, params }) => {
    return await fetchMessage(app, { realm, viewer: user, id: ids.message_id }, params);
  }),
  PATCH: apiEndpoint({
    summary: "Change or move a message",
    who: "anyone",
    ids: ["message_id"],
    params: editMessageParams,
    refusals: ["EXPECTATION_MISMATCH"],
  }, async ({ app, realm, user, ids, params }) => {
    const wishes = await readEmoticons(app, realm.id, user);
    await editMessage(app, { realm, editor: user, id: ids.message_id, ...wishes }, params);
  }),
  DELETE: apiEndpoint({
    summary: "Delete a message",
    who: "anyone",
    ids: ["message_id"],
    params: {},
  }, async ({ app, realm, user, ids }) => {
    await deleteMessage(app, { realm, editor: user, id: ids.message_id });
  }),
});
