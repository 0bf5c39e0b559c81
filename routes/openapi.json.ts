import { endpoint } from "@/lib/http/endpoint.ts";
import { methods } from "@/lib/http/methods.ts";
import { describeApi } from "@/lib/http/openapi.ts";
import { preparedAnswer } from "@/lib/http/prepared_json.ts";
import { apiRoutes } from "./(_table)/api_routes.ts";

const FRESH_SECONDS = 60;

export const handler = methods({
  GET: endpoint({
    summary: "Read this description",
    success: { status: 200, description: "The interface as OpenAPI 3.1" },
    isOpenToOrigins: true,
  }, async ({ app, request }) => {
    const describe = async () => describeApi(await apiRoutes(), app.config.baseUrl);
    const description = await app.prepared.get("openapi.json", describe);
    return preparedAnswer(description, FRESH_SECONDS, request.headers);
  }),
});
