import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";
import { ownStatusParams, setOwnStatus } from "@/lib/chat/people/user_status.ts";

export const handler = methods({
  POST: apiEndpoint({
    summary: "Set your own status",
    description: "Omitted parameters keep their value.",
    access: "human",
    params: ownStatusParams,
  }, ({ app, caller, params }) => setOwnStatus(app, caller, params)),
});
