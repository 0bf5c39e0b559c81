import type { AdminPageData } from "@/lib/admin/admin_page.ts";
import type { BlockPreview, HostsData } from "@/lib/admin/links/hosts_page.ts";
import { DANGER_BUTTON } from "@/lib/ui/class_names.ts";
import { ActionButton } from "../ActionButton.tsx";
import { useAdmin } from "../admin_view.ts";
import { AdminForm } from "../AdminForm.tsx";
import { AdminHeading } from "../AdminHeading.tsx";
import { CancelLink } from "../CancelLink.tsx";
import { DataTable } from "../DataTable.tsx";
import { EmptyState } from "../EmptyState.tsx";
import { TextInput } from "../fields.tsx";
import { formState } from "../form_state.ts";
import { Panel } from "../Panel.tsx";

/** Renders the blocked hosts, and the form that blocks another one. */
export function HostsPage({ data: { hosts }, refused }: AdminPageData<HostsData>) {
  const { messages } = useAdmin();
  const text = messages.links;
  const state = formState(refused, "block");
  const preview = refused?.result?.["preview"];
  return (
    <>
      <AdminHeading
        title={text.hostsTitle}
        lede={text.hostsLede}
        above={[{ path: "/admin/links", name: text.title }]}
      />
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
}

function isPreview(value: unknown): value is BlockPreview {
  return typeof value === "object" && value !== null && "host" in value && "isComplete" in value;
}

/** Renders the question whether a host is to be blocked, with the number of links that lead there. */
function ConfirmBlock({ preview: { host, count, isComplete } }: { preview: BlockPreview }) {
  const { messages, formatter } = useAdmin();
  const text = messages.links;
  const effect = count === null
    ? text.blockUncounted
    : formatter.t(isComplete ? text.blockCount : text.blockAtLeast, { count });
  const button = formatter.t(text.blockButton, { host });
  return (
    <>
      <h2 class="break-words" tabIndex={-1} autofocus>{formatter.t(text.blockTitle, { host })}</h2>
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

function HostTable({ hosts }: HostsData) {
  const { messages, formatter } = useAdmin();
  const text = messages.links;
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
