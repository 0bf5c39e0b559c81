import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";
import { deletePlayground } from "@/lib/chat/messages/playgrounds.ts";

export const handler = methods({
  DELETE: apiEndpoint({
    summary: "Remove a code playground",
    access: "admin",
    ids: ["playground_id"],
  }, ({ app, caller, ids }) => deletePlayground(app, caller, ids.playground_id)),
});
