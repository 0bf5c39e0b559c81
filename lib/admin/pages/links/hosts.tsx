import { ActionButton } from "@/components/admin/ActionButton.tsx";
import { EmptyState } from "@/components/admin/EmptyState.tsx";
import { Panel } from "@/components/admin/Panel.tsx";
import { useDraft } from "@/components/admin/form_state.ts";
import {
  blockHost,
  listAllBlockedHosts,
  requireHost,
  unblockHost,
} from "@/lib/links/manage/blocked_hosts.ts";
import { findLinks } from "@/lib/links/search/find_links.ts";
import type { AdminRequest } from "@/lib/admin/admin_request.ts";
import { Confirm } from "@/lib/admin/declare/confirm.tsx";
import { text as textField } from "@/lib/admin/declare/fields.tsx";
import { Form, form } from "@/lib/admin/declare/form.tsx";
import { Table } from "@/components/admin/Table.tsx";
import { adminPage, useTexts } from "@/lib/admin/declare/page.tsx";
import { linksPage } from "./links.tsx";
import { linkActorOf } from "./shown_link.tsx";

const texts = {
  hosts: "Blocked hosts",
  host: "Host",
  block: "Block host",
  blocked: "{host} is blocked.",
  blockTitle: "Block {host}?",
  blockButton: "Block {host}",
  blockCount: {
    one: "{count} short link leads to this host or its subdomains. It will lead nowhere.",
    other: "{count} short links lead to this host or its subdomains. They will lead nowhere.",
  },
  blockAtLeast: {
    one: "At least {count} short link leads to this host or its subdomains. It will lead nowhere.",
    other: "At least {count} short links lead to this host or its subdomains. All of them will lead nowhere.",
  },
  blockUncounted:
    "Short links to this host and its subdomains will lead nowhere. The search index cannot count them.",
  unblock: "Unblock",
  unblocked: "{host} is no longer blocked.",
  blockedSince: "Blocked",
  configured: "by BLOCKED_HOSTNAMES",
  fixed: "Set by the operator",
  noHosts: "No hosts are blocked.",
  noHostsAdvice: "Block a host when its links are abused.",
};

/** Blocks a host that was confirmed; otherwise shows how many links lead to it. */
const block = form({
  action: "block",
  button: texts.block,
  fields: {
    host: textField({
      label: texts.host,
      hint: "For example spam.example. Subdomains are included.",
      isMono: true,
      isExact: true,
    }),
  },
  refusedAt: "host",
  run: async (request, { host: typed }, submitted) => {
    const { services: { links }, t } = request;
    const host = requireHost(typed);
    if (submitted.text("confirmed") !== host) {
      return { flash: "", draft: <ConfirmBlock host={host} {...await countLinks(request, host)} /> };
    }
    await blockHost(links, host, linkActorOf(request));
    return { flash: t(texts.blocked, { host }), to: "/admin/links/hosts" };
  },
});

/**
 * Counts the links of a host and its subdomains with the search, which reads a limited number of them; null where it
 * cannot.
 */
async function countLinks({ services: { links } }: AdminRequest, host: string) {
  const { total, isComplete } = await findLinks(links, { host, limit: 1 });
  // An incomplete search that finds nothing says nothing.
  return { count: total === 0 && !isComplete ? null : total, isComplete };
}

const unblock = form({
  action: "unblock",
  run: async (request, _, submitted) => {
    const { services: { links }, t } = request;
    const { host } = await unblockHost(links, submitted.exact("host"), linkActorOf(request));
    return { flash: t(texts.unblocked, { host }) };
  },
});

/** Renders the blocked hosts, and the form that blocks another one. */
export const hostsPage = adminPage({
  path: "/admin/links/hosts",
  load: async ({ services, query }: AdminRequest) => ({
    hosts: await listAllBlockedHosts(services.links),
    /** Host in the form, as a link's page names it. */
    host: query.get("host") ?? "",
  }),
  title: texts.hosts,
  lede:
    "URLs of these hosts and their subdomains cannot be shortened, and existing links to them lead nowhere. Changes take effect immediately.",
  above: [linksPage],
  forms: [block, unblock],
  view: ({ data: { hosts, host } }) => {
    const { text, formatter } = useTexts(texts);
    return (
      <>
        <Panel title={text.block}>
          {useDraft(block) ?? <Form of={block} stored={{ host }} />}
        </Panel>
        {hosts.length === 0 ? <EmptyState title={text.noHosts}>{text.noHostsAdvice}</EmptyState> : (
          <Table
            caption={text.hosts}
            items={hosts}
            keyOf={({ host, blockedAt }) => `${blockedAt === null ? "configured" : "stored"}-${host}`}
            columns={[
              { title: text.host, cell: ({ host }) => <bdi class="font-mono text-small">{host}</bdi> },
              {
                title: text.blockedSince,
                cell: ({ blockedAt }) =>
                  blockedAt === null
                    ? text.configured
                    : <time dateTime={new Date(blockedAt).toISOString()}>{formatter.moment(blockedAt)}</time>,
              },
            ]}
            actions={({ host, blockedAt }) =>
              blockedAt === null
                ? <span class="text-soft">{text.fixed}</span>
                : (
                  <ActionButton action={unblock.action} fields={{ host }} label={`${text.unblock}: ${host}`}>
                    {text.unblock}
                  </ActionButton>
                )}
          />
        )}
      </>
    );
  },
});

interface ConfirmBlockProps {
  readonly host: string;
  /** Number of links that lead there; null where it is unknown. */
  readonly count: number | null;
  /** Whether there are no further links. */
  readonly isComplete: boolean;
}

/** Renders the question whether a host is to be blocked. */
function ConfirmBlock({ host, count, isComplete }: ConfirmBlockProps) {
  const { text, t } = useTexts(texts);
  return (
    <Confirm
      action={block.action}
      button={t(text.blockButton, { host })}
      back="/admin/links/hosts"
      hidden={{ host, confirmed: host }}
    >
      <h2 class="break-words" tabIndex={-1} autofocus>{t(text.blockTitle, { host })}</h2>
      <p>
        {count === null
          ? text.blockUncounted
          : t(isComplete ? text.blockCount : text.blockAtLeast, { count })}
      </p>
    </Confirm>
  );
}
