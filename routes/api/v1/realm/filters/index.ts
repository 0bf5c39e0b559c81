import { addLinkifier } from "@/lib/chat/linkifiers/add_linkifier.ts";
import { linkifierParams } from "@/lib/chat/linkifiers/params.ts";
import { madeLinkifierSchema } from "@/lib/chat/linkifiers/schema.ts";
import { sentFields } from "@/lib/chat/linkifiers/sent_fields.ts";
import { apiEndpoint } from "@/lib/http/api_endpoint.ts";
import { methods } from "@/lib/http/methods.ts";

export const handler = methods({
  POST: apiEndpoint({
    summary: "Add a linkifier",
    description: "From now on a pattern becomes a link in messages and topics.",
    who: "admin",
    params: linkifierParams,
    success: madeLinkifierSchema,
  }, async ({ app, realm, user, params }) => {
    return { id: await addLinkifier(app, { realm, actingUser: user }, sentFields(params)) };
  }),
});
