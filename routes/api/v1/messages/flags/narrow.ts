import { changeFlagsByNarrow } from "@/lib/chat/messages/change_flags_by_narrow.ts";
import { changeFlagsByNarrowParams } from "@/lib/chat/messages/narrow_params.ts";
import { changedByNarrowSchema } from "@/lib/chat/messages/schema.ts";
import { apiEndpoint } from "@/lib/http/api_endpoint.ts";
import { methods } from "@/lib/http/methods.ts";

export const handler = methods({
  POST: apiEndpoint(
    {
      summary: "Change a flag of the messages of a narrow",
      who: "anyone",
      params: changeFlagsByNarrowParams,
      success: changedByNarrowSchema,
    },
    ({ app, realm, user, params }) => changeFlagsByNarrow(app, { realm, user }, params),
  ),
});
