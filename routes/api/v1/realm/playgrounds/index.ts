import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";
import {
  createdPlaygroundSchema,
  createPlayground,
  createPlaygroundParams,
} from "@/lib/chat/messages/playgrounds.ts";

export const handler = methods({
  POST: apiEndpoint({
    summary: "Add a code playground",
    description: "Clients offer to open code blocks of its language there.",
    access: "admin",
    params: createPlaygroundParams,
    success: createdPlaygroundSchema,
  }, async ({ app, caller, params }) => ({ id: await createPlayground(app, caller, params) })),
});
