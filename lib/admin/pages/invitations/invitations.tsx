import { useRefusedForm } from "@/components/admin/form_state.ts";
import { adminPage } from "../../declare/page.tsx";
import { form } from "../../declare/form.tsx";
import { INVITES } from "../../events/shown_events.ts";
import { useAdmin } from "@/components/admin/admin_view.ts";
import { InvitationTable } from "@/components/admin/invitations/InvitationTable.tsx";
import { InviteForm, LinkForm } from "@/components/admin/invitations/InviteForm.tsx";
import { JoiningRule } from "@/components/admin/invitations/JoiningRule.tsx";
import { Panel } from "@/components/admin/Panel.tsx";
import { Link } from "@/components/Link.tsx";
import { createInviteLink } from "@/lib/chat/invites/invite_links.ts";
import { parseInviteToken } from "@/lib/chat/invites/model.ts";
import { PRIMARY_BUTTON, QUIET_BUTTON, TAB } from "@/lib/ui/class_names.ts";
import { readInvitationChoices } from "../../invitations/invitation_choices.ts";
import { toInvitationCsv } from "../../invitations/invitation_csv.ts";
import { readOffer } from "../../invitations/invitation_form.ts";
import { listAllInvitations } from "../../invitations/invitation_list.ts";
import {
  type InvitationsData,
  invite,
  loadInvitations,
  readAddresses,
} from "../../invitations/invitations_data.ts";

const preview = form({
  action: "preview",
  run: async (request, _, submitted) => ({
    flash: "",
    isDraft: true,
    result: { addresses: await readAddresses(request, submitted) },
  }),
});

const createLink = form({
  action: "create_link",
  run: async (request, _, submitted) => {
    const { chat, caller, messages } = request;
    const url = await createInviteLink(chat, caller, readOffer(request, submitted));
    const id = parseInviteToken(url.slice(url.lastIndexOf("/") + 1))?.id;
    const to = `/admin/invitations/link/${id ?? ""}`;
    return { flash: messages.invitations.linkCreated, to, result: { url } };
  },
});

const exportList = form({
  action: "export",
  run: async (request) => {
    const { channelNames } = await readInvitationChoices(request);
    return toInvitationCsv(request, await listAllInvitations(request, channelNames));
  },
});

/** The invitations page: invite by email, create a link, list open invitations. */
export const invitationsPage = adminPage({
  path: "/admin/invitations",
  load: loadInvitations,
  title: "Invitations",
  find: { words: "join link" },
  lede: ({ linkJoining }, _, { invitations }) => (
    <>
      {invitations.lede} <JoiningRule rule={linkJoining} />
    </>
  ),
  actions: () => (
    <form method="post">
      <input type="hidden" name="action" value="export" />
      <button type="submit" class={QUIET_BUTTON}>{useAdmin().messages.invitations.export}</button>
    </form>
  ),
  shows: INVITES,
  forms: [preview, { action: "invite", run: invite }, createLink, exportList],
  view: ({ data }) => {
    const { messages: { invitations: text } } = useAdmin();
    const refused = useRefusedForm();
    return (
      <>
        <details open={data.isFormOpen || refused !== null} class="group mb-9">
          <summary
            class={`${PRIMARY_BUTTON} w-fit list-none group-open:hidden [&::-webkit-details-marker]:hidden`}
          >
            {text.panel}
          </summary>
          <Panel title={text.panel}>
            <Tabs data={data} />
            {data.kind === "email" && !data.hasMail && <NoMail folder={data.mailFolder} />}
            <FormOfKind data={data} />
          </Panel>
        </details>
        <InvitationTable data={data} />
      </>
    );
  },
});

function NoMail({ folder }: { folder: string | null }) {
  const { messages: { invitations: text }, formatter } = useAdmin();
  return (
    <p class="rounded-control bg-wash px-4 py-2.5 break-words">
      {folder === null ? text.noMail : formatter.t(text.mailInFiles, { folder })} {text.noMailAdvice}{" "}
      <Link class="link font-medium" href="?kind=link">{text.noMailLink}</Link>
    </p>
  );
}

function FormOfKind({ data }: { data: InvitationsData }) {
  const { messages: { invitations: text } } = useAdmin();
  const refused = useRefusedForm();
  const { kind, choices } = data;
  if (kind === "email") {
    return choices.mayEmail ? <InviteForm data={data} refused={refused} /> : <p>{text.mayNotEmail}</p>;
  }
  return choices.mayLink ? <LinkForm data={data} refused={refused} /> : <p>{text.mayNotLink}</p>;
}

function Tabs({ data: { kind, choices } }: { data: InvitationsData }) {
  const { messages: { invitations: text } } = useAdmin();
  const tabs = [
    ...(choices.mayEmail ? [{ kind: "email", name: text.byEmail }] : []),
    ...(choices.mayLink ? [{ kind: "link", name: text.byLink }] : []),
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
