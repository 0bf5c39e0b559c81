import { apiEndpoint } from "@/lib/api/api_endpoint.ts";
import { methods } from "@/lib/api/methods.ts";
import { decodeFragment, updateNavigationViewParams } from "@/lib/chat/navigation_views/api.ts";
import {
  deleteNavigationView,
  updateNavigationView,
} from "@/lib/chat/navigation_views/change_navigation_views.ts";

export const handler = methods({
  PATCH: apiEndpoint({
    summary: "Edit a navigation view",
    access: "anyone",
    params: updateNavigationViewParams,
    refusals: [["BAD_REQUEST", 404]],
  }, ({ app, realm, user, params, ctx }) => {
    const fragment = decodeFragment(ctx.params["fragment"]);
    return updateNavigationView(app, { realm, user }, { ...params, fragment });
  }),
  DELETE: apiEndpoint({
    summary: "Remove a navigation view",
    access: "anyone",
    params: {},
    refusals: [["BAD_REQUEST", 404]],
  }, ({ app, realm, user, ctx }) => {
    return deleteNavigationView(app, { realm, user }, decodeFragment(ctx.params["fragment"]));
  }),
});
