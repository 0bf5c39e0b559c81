import { endpoint } from "@/lib/api/endpoint.ts";
import { methods } from "@/lib/api/methods.ts";
import { describeApi, listApiRoutes } from "@/lib/api/openapi.ts";
import { readExamples } from "@/lib/api/openapi_examples.ts";
import { preparedResponse } from "@/lib/api/response.ts";

const FRESH_SECONDS = 60;

export const handler = methods({
  GET: endpoint({
    summary: "Get the OpenAPI description",
    success: { status: 200, description: "The API as OpenAPI 3.1" },
    isOpenToOrigins: true,
  }, async ({ app, request }) => {
    const describe = async () => {
      const { baseUrl } = app.config;
      return await describeApi(await listApiRoutes(app), { baseUrl, examples: await readExamples() });
    };
    const description = await app.prepared.get("openapi.json", describe);
    return preparedResponse(description, FRESH_SECONDS, request.headers);
  }),
});
