import { endpoint } from "@/lib/api/endpoint.ts";
import { FOR_MANAGERS, MANAGER_REFUSALS } from "@/lib/api/link_manager.ts";
import { methods } from "@/lib/api/methods.ts";
import { blockHost, listAllBlockedHosts, toHostResponse } from "@/lib/links/manage/blocked_hosts.ts";
import { blockedHostSchema, blockedHostsSchema, blockHostSchema } from "@/lib/links/manage/link_schemas.ts";

export const handler = methods({
  GET: endpoint({
    ...FOR_MANAGERS,
    summary: "List blocked hosts",
    success: { status: 200, description: "All blocked hosts", schema: blockedHostsSchema },
    refusals: MANAGER_REFUSALS,
  }, async ({ app }) => ({ hosts: (await listAllBlockedHosts(app.links)).map(toHostResponse) })),
  POST: endpoint({
    ...FOR_MANAGERS,
    summary: "Block a host",
    description: "Blocks a host and its subdomains for new links and, with 410, for existing ones.",
    body: blockHostSchema,
    success: { status: 201, description: "The blocked host", schema: blockedHostSchema },
    refusals: MANAGER_REFUSALS,
  }, async ({ app, body, caller }) => toHostResponse(await blockHost(app.links, body.host, caller))),
});
