import type { AdminPageData } from "@/lib/admin/admin_page.ts";
import type { InvitationsData } from "@/lib/admin/invitations/invitations_page.ts";
import { PRIMARY_BUTTON, QUIET_BUTTON, TAB } from "@/lib/ui/class_names.ts";
import { useAdmin } from "../admin_view.ts";
import { AdminHeading } from "../AdminHeading.tsx";
import { Panel } from "../Panel.tsx";
import { JoiningRule } from "./JoiningRule.tsx";
import { InvitationTable } from "./InvitationTable.tsx";
import { InviteForm, LinkForm } from "./InviteForm.tsx";
import { Link } from "../../Link.tsx";

/** Renders the page with the invitation forms and the pending invitations. */
export function InvitationsPage({ data, refused }: AdminPageData<InvitationsData>) {
  const { messages: { invitations: text } } = useAdmin();
  return (
    <>
      <AdminHeading
        title={text.title}
        lede={
          <>
            {text.lede} <JoiningRule rule={data.linkJoining} />
          </>
        }
        actions={<ExportButton />}
      />
      <details open={data.isFormOpen || refused !== null} class="group mb-9">
        <summary
          class={`${PRIMARY_BUTTON} w-fit list-none group-open:hidden [&::-webkit-details-marker]:hidden`}
        >
          {text.panel}
        </summary>
        <Panel title={text.panel}>
          <Tabs kind={data.kind} />
          {data.kind === "email" && !data.hasMail && <NoMail folder={data.mailFolder} />}
          <FormOfKind data={data} refused={refused} />
        </Panel>
      </details>
      <InvitationTable data={data} />
    </>
  );
}

function NoMail({ folder }: { folder: string | null }) {
  const { messages: { invitations: text }, formatter } = useAdmin();
  return (
    <p class="rounded-control bg-wash px-4 py-2.5 break-words">
      {folder === null ? text.noMail : formatter.t(text.mailInFiles, { folder })} {text.noMailAdvice}{" "}
      <Link class="link font-medium" href="?kind=link">{text.noMailLink}</Link>
    </p>
  );
}

function FormOfKind({ data, refused }: AdminPageData<InvitationsData>) {
  const { messages: { invitations: text } } = useAdmin();
  const { kind, choices } = data;
  if (kind === "email") {
    return choices.mayEmail ? <InviteForm data={data} refused={refused} /> : <p>{text.mayNotEmail}</p>;
  }
  return choices.mayLink ? <LinkForm data={data} refused={refused} /> : <p>{text.mayNotLink}</p>;
}

function ExportButton() {
  const { messages: { invitations: text } } = useAdmin();
  return (
    <form method="post">
      <input type="hidden" name="action" value="export" />
      <button type="submit" class={QUIET_BUTTON}>{text.export}</button>
    </form>
  );
}

function Tabs({ kind }: Pick<InvitationsData, "kind">) {
  const { messages: { invitations: text } } = useAdmin();
  const tabs = [
    { kind: "email", name: text.byEmail },
    { kind: "link", name: text.byLink },
  ];
  return (
    <nav aria-label={text.kinds} class="border-b border-rule">
      <ul class="flex flex-wrap gap-x-6">
        {tabs.map((tab) => (
          <li key={tab.kind}>
            <Link
              href={`/admin/invitations?kind=${tab.kind}`}
              aria-current={tab.kind === kind ? "page" : undefined}
              class={TAB}
            >
              {tab.name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
