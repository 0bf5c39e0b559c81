import { endpoint } from "@/lib/api/endpoint.ts";
import { methods } from "@/lib/api/methods.ts";
import { preparedResponse } from "@/lib/api/response.ts";
import { listEmojiNames } from "@/lib/chat/organization/rendering/emoji.ts";

/** The names change with the version of the server. */
const FRESH_SECONDS = 60 * 60;

export const handler = methods({
  GET: endpoint({
    summary: "List the names of standard emoji by code",
    description: "`server_emoji_data_url` of `POST /register` is this address.",
    success: { status: 200, description: "The names in `code_to_names`, the display name first" },
    isOpenToOrigins: true,
  }, async ({ app, request }) => {
    const names = () => Promise.resolve({ code_to_names: listEmojiNames() });
    return preparedResponse(await app.prepared.get("emoji names", names), FRESH_SECONDS, request.headers);
  }),
});
