import { apiEndpoint } from "@/lib/api/api_endpoint.ts";
import { methods } from "@/lib/api/methods.ts";
import {
  createdPlaygroundSchema,
  createPlaygroundParams,
  parsePlaygroundFields,
} from "@/lib/chat/playgrounds/api.ts";
import { createPlayground } from "@/lib/chat/playgrounds/change_playgrounds.ts";

export const handler = methods({
  POST: apiEndpoint({
    summary: "Add a code playground",
    description: "Clients offer to open code blocks of its language there.",
    access: "admin",
    params: createPlaygroundParams,
    success: createdPlaygroundSchema,
  }, async ({ app, caller, params }) => {
    return { id: await createPlayground(app, caller, parsePlaygroundFields(params)) };
  }),
});
