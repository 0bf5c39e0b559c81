import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";
import {
  createNavigationView,
  createNavigationViewParams,
  navigationViewList,
  navigationViewsSchema,
} from "@/lib/chat/people/navigation_views.ts";

export const handler = methods({
  GET: apiEndpoint({
    summary: "List your navigation views",
    access: "anyone",
    success: navigationViewsSchema,
  }, async ({ app, caller }) => ({ navigation_views: await navigationViewList.read(app, caller) })),
  POST: apiEndpoint({
    summary: "Add a navigation view",
    access: "anyone",
    params: createNavigationViewParams,
  }, ({ app, caller, params }) => createNavigationView(app, caller, params)),
});
