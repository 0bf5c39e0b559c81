import { ActionButton } from "@/components/admin/ActionButton.tsx";
import { EmptyState } from "@/components/admin/EmptyState.tsx";
import { Moment } from "@/components/admin/Moment.tsx";
import { Panel } from "@/components/admin/Panel.tsx";
import { useDraft } from "@/components/admin/form_state.ts";
import {
  blockHost,
  listAllBlockedHosts,
  requireHost,
  unblockHost,
} from "@/lib/links/manage/blocked_hosts.ts";
import { findLinks, type LinkSearchPage } from "@/lib/links/search/find_links.ts";
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
      // Subdomains are found too; the search reads a limited number of links.
      const found = await findLinks(links, { host, limit: 1 });
      return { flash: "", draft: <ConfirmBlock host={host} found={found} /> };
    }
    await blockHost(links, host, linkActorOf(request));
    return { flash: t("{host} is blocked.", { host }), to: "/admin/links/hosts" };
  },
});

const unblock = form({
  action: "unblock",
  run: async (request, _, submitted) => {
    const { services: { links }, t } = request;
    const { host } = await unblockHost(links, submitted.exact("host"), linkActorOf(request));
    return { flash: t("{host} is no longer blocked.", { host }) };
  },
});

/** Renders the blocked hosts, and the form that blocks another one. */
export const hostsPage = adminPage({
  path: "/admin/links/hosts",
  find: { words: "block domains websites phishing abuse malware" },
  load: async ({ services, query }) => ({
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
    const { text, t } = useTexts(texts);
    return (
      <>
        <Panel title={text.block}>
          {useDraft(block) ?? <Form of={block} stored={{ host }} />}
        </Panel>
        {hosts.length === 0
          ? (
            <EmptyState title={t("No hosts are blocked.")}>
              {t("Block a host when its links are abused.")}
            </EmptyState>
          )
          : (
            <Table
              caption={text.hosts}
              items={hosts}
              columns={[
                { title: text.host, cell: ({ host }) => <bdi class="font-mono text-small">{host}</bdi> },
                {
                  title: t("Blocked"),
                  cell: ({ blockedAt: time }) =>
                    time === null ? t("by BLOCKED_HOSTNAMES") : <Moment time={time} />,
                },
              ]}
              actions={({ host, blockedAt }) =>
                blockedAt === null
                  ? <span class="text-soft">{t("Set by the operator")}</span>
                  : (
                    <ActionButton action="unblock" fields={{ host }} label={`${text.unblock}: ${host}`}>
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
  /** Search for the links that lead there. */
  readonly found: Pick<LinkSearchPage, "total" | "isComplete">;
}

/** Renders the question whether a host is to be blocked. */
function ConfirmBlock({ host, found: { total: count, isComplete } }: ConfirmBlockProps) {
  const { text, t } = useTexts(texts);
  return (
    <Confirm
      action={block.action}
      button={t("Block {host}", { host })}
      back="/admin/links/hosts"
      hidden={{ host, confirmed: host }}
    >
      <h2 class="break-words" tabIndex={-1} autofocus>{t("Block {host}?", { host })}</h2>
      <p>
        {/* An incomplete search that finds nothing says nothing. */}
        {count === null || count === 0 && !isComplete
          ? text.blockUncounted
          : t(isComplete ? text.blockCount : text.blockAtLeast, { count })}
      </p>
    </Confirm>
  );
}
