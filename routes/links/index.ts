import { endpoint } from "@/lib/api/endpoint.ts";
import { FOR_MANAGERS, MANAGER_REFUSALS } from "@/lib/api/link_manager.ts";
import { methods } from "@/lib/api/methods.ts";
import { createLink, listLinks, toChangedIds } from "@/lib/links/manage/link_responses.ts";
import {
  changedLinksSchema,
  changeLinksSchema,
  createLinkSchema,
  deleteLinksSchema,
  linkListSchema,
  linkSchema,
} from "@/lib/links/manage/link_schemas.ts";
import { deleteLinks, updateLinks } from "@/lib/links/manage/update_links.ts";
import { linkQuerySchema } from "@/lib/links/search/link_query.ts";

export const handler = methods({
  GET: endpoint({
    ...FOR_MANAGERS,
    summary: "Search links",
    description:
      "Searches all links by an index. Without words, tag and state, links are listed in their order.",
    query: linkQuerySchema,
    success: { status: 200, description: "A page of links", schema: linkListSchema },
    refusals: MANAGER_REFUSALS,
  }, ({ app, query }) => listLinks(app.links, query)),
  POST: endpoint({
    ...FOR_MANAGERS,
    summary: "Create a link with properties",
    body: createLinkSchema,
    success: { status: 201, description: "The new link", schema: linkSchema },
    refusals: [...MANAGER_REFUSALS, "UNPROCESSABLE"],
  }, ({ app, body, caller }) => createLink(app.links, body, caller)),
  PATCH: endpoint(
    {
      ...FOR_MANAGERS,
      summary: "Change several links",
      description:
        "Changes up to 500 links, each completely or not at all. Other servers of the store see it at once.",
      body: changeLinksSchema,
      success: { status: 200, description: "The ids by what happened", schema: changedLinksSchema },
      refusals: MANAGER_REFUSALS,
    },
    async ({ app, body: { shorts, ...patch }, caller }) =>
      toChangedIds(await updateLinks(app.links, { shorts, patch }, caller)),
  ),
  DELETE: endpoint(
    {
      ...FOR_MANAGERS,
      summary: "Delete several links",
      description: "Deletes up to 500 links. Their ids answer 410 from then on and are never assigned again.",
      body: deleteLinksSchema,
      success: { status: 200, description: "The ids by what happened", schema: changedLinksSchema },
      refusals: MANAGER_REFUSALS,
    },
    async ({ app, body: { shorts, visits }, caller }) =>
      toChangedIds(await deleteLinks(app.links, { shorts, areVisitsDeleted: visits === "delete" }, caller)),
  ),
});
