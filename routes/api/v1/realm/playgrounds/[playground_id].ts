import { apiEndpoint } from "@/lib/api/api_endpoint.ts";
import { methods } from "@/lib/api/methods.ts";
import { deletePlayground } from "@/lib/chat/messages/playgrounds.ts";

export const handler = methods({
  DELETE: apiEndpoint({
    summary: "Remove a code playground",
    access: "admin",
    params: {},
    ids: ["playground_id"],
  }, ({ app, caller, ids }) => deletePlayground(app, caller, ids.playground_id)),
});
