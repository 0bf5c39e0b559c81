import { endpoint } from "@/lib/api/endpoint.ts";
import { FOR_MANAGERS, MANAGER_REFUSALS } from "@/lib/api/link_manager.ts";
import { methods } from "@/lib/api/methods.ts";
import { changeLink, deleteLink, toLinkResponse } from "@/lib/links/manage/link_responses.ts";
import {
  changedLinksSchema,
  changeLinkSchema,
  deleteLinkSchema,
  linkSchema,
} from "@/lib/links/manage/link_schemas.ts";
import { shortPathSchema } from "@/lib/links/params.ts";
import { getFoundLink } from "@/lib/links/search/find_links.ts";

export const handler = methods({
  GET: endpoint({
    ...FOR_MANAGERS,
    summary: "Read a link",
    description: "Does not count as a visit.",
    path: shortPathSchema,
    success: { status: 200, description: "The link", schema: linkSchema },
    refusals: [...MANAGER_REFUSALS, "NOT_FOUND"],
  }, async ({ app, path }) => toLinkResponse(app.links, await getFoundLink(app.links, path.short))),
  PATCH: endpoint({
    ...FOR_MANAGERS,
    summary: "Change a link",
    description:
      "Changes the given properties. With `url`, the link leads to it from now on and keeps its visits. Other servers of the store see it at once.",
    path: shortPathSchema,
    body: changeLinkSchema,
    success: { status: 200, description: "The link", schema: linkSchema },
    refusals: [...MANAGER_REFUSALS, "NOT_FOUND", "UNPROCESSABLE"],
  }, ({ app, path, body, caller }) => changeLink(app.links, { incoming: path.short, patch: body }, caller)),
  DELETE: endpoint(
    {
      ...FOR_MANAGERS,
      summary: "Delete a link",
      description: "The id answers 410 from then on and is never assigned again.",
      path: shortPathSchema,
      query: deleteLinkSchema,
      success: { status: 200, description: "The id", schema: changedLinksSchema },
      refusals: [...MANAGER_REFUSALS, "NOT_FOUND"],
    },
    ({ app, path: { short: incoming }, query, caller }) =>
      deleteLink(app.links, { incoming, areVisitsDeleted: query.visits === "delete" }, caller),
  ),
});
