import { changeFlagsByNarrow } from "@/lib/chat/messages/change_flags.ts";
import { changedFlagsByNarrowSchema, changeFlagsByNarrowParams } from "@/lib/chat/messages/narrow/api.ts";
import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";

export const handler = methods({
  POST: apiEndpoint(
    {
      summary: "Update message flags by narrow",
      access: "anyone",
      params: changeFlagsByNarrowParams,
      success: changedFlagsByNarrowSchema,
      refusals: ["BAD_NARROW"],
    },
    ({ app, caller, params }) => changeFlagsByNarrow(app, caller, params),
  ),
});
