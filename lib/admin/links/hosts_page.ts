import {
  blockHost,
  listAllBlockedHosts,
  type ListedHost,
  unblockHost,
} from "@/lib/links/manage/blocked_hosts.ts";
import type { AdminPageSpec, Done } from "../admin_page.ts";
import type { AdminRequest } from "../admin_request.ts";
import type { FormFields } from "../form_fields.ts";
import { linkActorOf } from "./shown_link.ts";

/** Data of the page of blocked hosts. */
export interface HostsData {
  readonly hosts: readonly ListedHost[];
}

/** The page of blocked hosts. */
export const hostsPage: AdminPageSpec<HostsData> = {
  load: async ({ services }) => ({ hosts: await listAllBlockedHosts(services.links) }),
  actions: {
    block: { run: block, fieldOf: () => "host" },
    unblock: { run: unblock },
  },
};

async function block(request: AdminRequest, fields: FormFields): Promise<Done> {
  const { services: { links }, formatter, messages } = request;
  const { host } = await blockHost(links, fields.text("host"), linkActorOf(request));
  return { flash: formatter.t(messages.links.blocked, { host }) };
}

async function unblock(request: AdminRequest, fields: FormFields): Promise<Done> {
  const { services: { links }, formatter, messages } = request;
  const { host } = await unblockHost(links, fields.text("host"), linkActorOf(request));
  return { flash: formatter.t(messages.links.unblocked, { host }) };
}
