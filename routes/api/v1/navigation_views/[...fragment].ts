import { apiEndpoint } from "@/lib/api/api_endpoint.ts";
import { methods } from "@/lib/api/methods.ts";
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
    params: {},
    refusals: [["BAD_REQUEST", 404]],
  }, ({ app, caller, ctx }) => {
    return deleteNavigationView(app, caller, decodeFragment(ctx.params["fragment"]));
  }),
});
