import { ActionButton } from "@/components/admin/ActionButton.tsx";
import { AdminForm } from "@/components/admin/AdminForm.tsx";
import { CancelLink } from "@/components/admin/CancelLink.tsx";
import { DataTable } from "@/components/admin/DataTable.tsx";
import { EmptyState } from "@/components/admin/EmptyState.tsx";
import { Panel } from "@/components/admin/Panel.tsx";
import { TextInput } from "@/components/admin/fields.tsx";
import { formState, useFormState, useRefusedForm } from "@/components/admin/form_state.ts";
import type { BlockedHost } from "@/lib/links/hostnames.ts";
import {
  blockHost,
  listAllBlockedHosts,
  requireHost,
  unblockHost,
} from "@/lib/links/manage/blocked_hosts.ts";
import { findLinks } from "@/lib/links/search/find_links.ts";
import { DANGER_BUTTON } from "@/lib/ui/class_names.ts";
import type { Done } from "../../admin_page.ts";
import type { AdminRequest } from "../../admin_request.ts";
import { adminPage } from "../../declare/page.tsx";
import { useTexts } from "../../declare/texts.ts";
import type { FormFields } from "../../form_fields.ts";
import { linksPage } from "./links.tsx";
import { linkActorOf } from "./shown_link.tsx";

const texts = {
  hostsTitle: "Blocked hosts",
  hostsLede:
    "URLs of these hosts and their subdomains cannot be shortened, and existing links to them answer 410. Changes take effect immediately.",
  hostField: "Host",
  hostHint: "For example spam.example. Subdomains are included.",
  block: "Block host",
  blocked: "{host} is blocked.",
  blockTitle: "Block {host}?",
  blockButton: "Block {host}",
  blockCount: {
    one: "{count} short link leads to this host or its subdomains. It will answer 410.",
    other: "{count} short links lead to this host or its subdomains. They will answer 410.",
  },
  blockAtLeast: {
    one: "At least {count} short link leads to this host or its subdomains. It will answer 410.",
    other: "At least {count} short links lead to this host or its subdomains. All of them will answer 410.",
  },
  blockUncounted:
    "Short links to this host and its subdomains will answer 410. The search index cannot count them.",
  unblock: "Unblock",
  unblocked: "{host} is no longer blocked.",
  blockedSince: "Blocked",
  configured: "by BLOCKED_HOSTNAMES",
  fixed: "Set by the operator",
  noHosts: "No hosts are blocked.",
  noHostsAdvice: "Block a host when its links are abused.",
};

/** Links that blocking a host closes. */
interface BlockPreview {
  readonly host: string;
  /** Null where the index cannot count them. */
  readonly count: number | null;
  /** Whether there are no further links. */
  readonly isComplete: boolean;
}

/** Blocks a host that was confirmed; otherwise returns how many links lead to it. */
async function block(request: AdminRequest, fields: FormFields): Promise<Done> {
  const { services: { links }, t } = request;
  const host = requireHost(fields.exact("host"));
  if (fields.text("confirmed") !== host) {
    const preview = await countLinks(request, host);
    return { flash: "", isDraft: true, result: { preview } };
  }
  await blockHost(links, host, linkActorOf(request));
  return { flash: t(texts.blocked, { host }) };
}

/** Counts the links of a host and its subdomains with the search, which reads a limited number of them. */
async function countLinks({ services: { links } }: AdminRequest, host: string): Promise<BlockPreview> {
  const { total, isComplete } = await findLinks(links, { filter: { host }, order: "newest", limit: 1 });
  // An incomplete search that finds nothing says nothing.
  return { host, count: total === 0 && !isComplete ? null : total, isComplete };
}

async function unblock(request: AdminRequest, fields: FormFields): Promise<Done> {
  const { services: { links }, t } = request;
  const { host } = await unblockHost(links, fields.exact("host"), linkActorOf(request));
  return { flash: t(texts.unblocked, { host }) };
}

/** Renders the blocked hosts, and the form that blocks another one. */
export const hostsPage = adminPage({
  path: "/admin/links/hosts",
  load: async ({ services }: AdminRequest) => ({ hosts: await listAllBlockedHosts(services.links) }),
  title: texts.hostsTitle,
  lede: texts.hostsLede,
  above: [linksPage],
  forms: [
    { action: "block", run: block, fieldOf: () => "host" },
    { action: "unblock", run: unblock },
  ],
  view: ({ data: { hosts } }) => {
    const { text } = useTexts(texts);
    const state = useFormState({ action: "block" });
    const preview = useRefusedForm()?.result?.["preview"];
    return (
      <>
        <Panel title={text.block}>
          {isPreview(preview)
            ? <ConfirmBlock preview={preview} />
            : (
              <AdminForm state={state} button={text.block}>
                <TextInput state={state} name="host" label={text.hostField} hint={text.hostHint} isMono />
              </AdminForm>
            )}
        </Panel>
        {hosts.length === 0
          ? <EmptyState title={text.noHosts}>{text.noHostsAdvice}</EmptyState>
          : <HostTable hosts={hosts} />}
      </>
    );
  },
});

function isPreview(value: unknown): value is BlockPreview {
  return typeof value === "object" && value !== null && "host" in value && "isComplete" in value;
}

/** Renders the question whether a host is to be blocked, with the number of links that lead there. */
function ConfirmBlock({ preview: { host, count, isComplete } }: { preview: BlockPreview }) {
  const { text, t } = useTexts(texts);
  const effect = count === null
    ? text.blockUncounted
    : t(isComplete ? text.blockCount : text.blockAtLeast, { count });
  const button = t(text.blockButton, { host });
  return (
    <>
      <h2 class="break-words" tabIndex={-1} autofocus>{t(text.blockTitle, { host })}</h2>
      <p>{effect}</p>
      <AdminForm
        state={formState(null, "block")}
        button={button}
        look={`${DANGER_BUTTON} max-w-full break-all`}
        hidden={{ host, confirmed: host }}
        beside={<CancelLink to="/admin/links/hosts" />}
      />
    </>
  );
}

function HostTable({ hosts }: { hosts: readonly BlockedHost[] }) {
  const { text, messages, formatter } = useTexts(texts);
  const rows = hosts.map(({ host, blockedAt }) => ({
    id: `${blockedAt === null ? "configured" : "stored"}-${host}`,
    cells: [
      <bdi key="host" class="font-mono text-small">{host}</bdi>,
      blockedAt === null ? text.configured : formatter.moment(blockedAt),
      blockedAt === null
        ? <span key="fixed" class="text-soft">{text.fixed}</span>
        : (
          <ActionButton key="unblock" action="unblock" fields={{ host }} label={`${text.unblock}: ${host}`}>
            {text.unblock}
          </ActionButton>
        ),
    ],
  }));
  const columns = [
    { title: text.hostField },
    { title: text.blockedSince },
    { title: messages.common.actions, isAtEnd: true, isClear: true, isWide: true },
  ];
  return <DataTable caption={text.hostsTitle} columns={columns} rows={rows} />;
}
