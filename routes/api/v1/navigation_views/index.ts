import { apiEndpoint } from "@/lib/api/api_endpoint.ts";
import { methods } from "@/lib/api/methods.ts";
import { createNavigationViewParams, navigationViewsSchema } from "@/lib/chat/navigation_views/api.ts";
import { createNavigationView } from "@/lib/chat/navigation_views/change_navigation_views.ts";
import { listNavigationViews } from "@/lib/chat/navigation_views/store.ts";

export const handler = methods({
  GET: apiEndpoint({
    summary: "List your navigation views",
    access: "anyone",
    params: {},
    success: navigationViewsSchema,
  }, async ({ app, realm, user }) => ({
    navigation_views: await listNavigationViews(app, { realm, user }),
  })),
  POST: apiEndpoint({
    summary: "Add a navigation view",
    access: "anyone",
    params: createNavigationViewParams,
  }, ({ app, realm, user, params }) => createNavigationView(app, { realm, user }, params)),
});
