import {
  blockHost,
  listAllBlockedHosts,
  type ListedHost,
  requireHost,
  unblockHost,
} from "@/lib/links/manage/blocked_hosts.ts";
import { findLinks } from "@/lib/links/search/find_links.ts";
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

/** Links that blocking a host closes. */
export interface BlockPreview {
  readonly host: string;
  /** Null where the index cannot count them. */
  readonly count: number | null;
  /** Whether there are no further links. */
  readonly isComplete: boolean;
}

/** Blocks a host that was confirmed; otherwise returns how many links lead to it. */
async function block(request: AdminRequest, fields: FormFields): Promise<Done> {
  const { services: { links }, formatter, messages } = request;
  const host = requireHost(fields.exact("host"));
  if (fields.text("confirmed") !== host) {
    const preview = await countLinks(request, host);
    return { flash: "", isDraft: true, result: { preview } };
  }
  await blockHost(links, host, linkActorOf(request));
  return { flash: formatter.t(messages.links.blocked, { host }) };
}

/** Counts the links of a host and its subdomains with the search, which reads a limited number of them. */
async function countLinks({ services: { links } }: AdminRequest, host: string): Promise<BlockPreview> {
  const filter = { text: "", host, tag: "", status: null };
  const { total, isComplete } = await findLinks(links, { filter, order: "newest", cursor: null, limit: 1 });
  // An incomplete search that finds nothing says nothing.
  return { host, count: total === 0 && !isComplete ? null : total, isComplete };
}

async function unblock(request: AdminRequest, fields: FormFields): Promise<Done> {
  const { services: { links }, formatter, messages } = request;
  const { host } = await unblockHost(links, fields.exact("host"), linkActorOf(request));
  return { flash: formatter.t(messages.links.unblocked, { host }) };
}
