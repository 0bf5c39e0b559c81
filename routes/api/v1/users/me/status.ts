import { ownStatusParams } from "@/lib/chat/user_status/params.ts";
import { setOwnStatus } from "@/lib/chat/user_status/set_status.ts";
import { apiEndpoint } from "@/lib/http/api_endpoint.ts";
import { methods } from "@/lib/http/methods.ts";

export const handler = methods({
  POST: apiEndpoint({
    summary: "Set your own status",
    description: "Only what is sent changes.",
    who: "human",
    params: ownStatusParams,
  }, ({ app, realm, user, params }) => setOwnStatus(app, { realm, actingUser: user }, params)),
});
