import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";
import {
  decodeFragment,
  deleteNavigationView,
  updateNavigationView,
  updateNavigationViewParams,
} from "@/lib/chat/people/navigation_views.ts";

export const handler = methods({
  PATCH: apiEndpoint({
    summary: "Edit a navigation view",
    access: "anyone",
    params: updateNavigationViewParams,
    refusals: [["BAD_REQUEST", 404]],
  }, ({ app, caller, params, ctx }) => {
    const fragment = decodeFragment(ctx.params["fragment"]);
    return updateNavigationView(app, caller, { ...params, fragment });
  }),
  DELETE: apiEndpoint({
    summary: "Remove a navigation view",
    access: "anyone",
    refusals: [["BAD_REQUEST", 404]],
  }, ({ app, caller, ctx }) => {
    return deleteNavigationView(app, caller, decodeFragment(ctx.params["fragment"]));
  }),
});
