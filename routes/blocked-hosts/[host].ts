import { endpoint } from "@/lib/api/endpoint.ts";
import { FOR_MANAGERS, MANAGER_REFUSALS } from "@/lib/api/link_manager.ts";
import { methods } from "@/lib/api/methods.ts";
import { toHostResponse, unblockHost } from "@/lib/links/manage/blocked_hosts.ts";
import { blockedHostSchema, hostPathSchema } from "@/lib/links/manage/link_schemas.ts";

export const handler = methods({
  DELETE: endpoint({
    ...FOR_MANAGERS,
    summary: "Unblock a host",
    description: "Hosts that BLOCKED_HOSTNAMES lists stay blocked.",
    path: hostPathSchema,
    success: { status: 200, description: "The host", schema: blockedHostSchema },
    refusals: [...MANAGER_REFUSALS, "NOT_FOUND"],
  }, async ({ app, path, caller }) => toHostResponse(await unblockHost(app.links, path.host, caller))),
});
