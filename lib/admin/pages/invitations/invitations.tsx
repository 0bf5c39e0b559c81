import { LINK_JOINING } from "@/lib/ui/texts.ts";
import { useAdmin } from "@/components/admin/admin_view.ts";
import { ExportButton } from "@/components/admin/ActionButton.tsx";
import { EmptyState } from "@/components/admin/EmptyState.tsx";
import { useRefusedForm } from "@/components/admin/form_state.ts";
import { Panel } from "@/components/admin/Panel.tsx";
import { Tabs } from "@/components/admin/Tabs.tsx";
import { Link } from "@/components/Link.tsx";
import { getLinkJoining, type LinkJoining } from "@/lib/chat/organization/organizations/model.ts";
import { hasRealmPermission } from "@/lib/chat/organization/permissions/model/membership.ts";
import { isAdmin } from "@/lib/chat/organization/users/model.ts";
import { getMailFolder } from "@/lib/mail/transport.ts";
import { PRIMARY_BUTTON } from "@/lib/ui/class_names.ts";
import type { AdminRequest } from "@/lib/admin/admin_request.ts";
import { adminPage } from "@/lib/admin/declare/page.tsx";
import { INVITES } from "@/lib/admin/events/shown_events.ts";
import { exportList, InvitationTable, loadInvitationList } from "./invitation_list.tsx";
import { InviteForm, inviteForms, LinkForm } from "./invite_form.tsx";
import { readOfferOptions } from "./offer_fields.tsx";

/** Ways to invite: title, and what is shown without the permission. */
const KINDS = {
  email: {
    title: "By email",
    closed: "You do not have permission to send email invitations. An owner can change this.",
    Form: InviteForm,
  },
  link: {
    title: "Reusable link",
    closed: "You do not have permission to create reusable links. An owner can change this.",
    Form: LinkForm,
  },
};

const KIND_NAMES = ["email", "link"] as const;

function toPath(kind: keyof typeof KINDS): string {
  return `/admin/invitations?kind=${kind}`;
}

async function loadInvitations(request: AdminRequest) {
  const { chat, services, query, realm, user } = request;
  const permissions = await request.readPermissions();
  const may = {
    email: hasRealmPermission(permissions, "can_invite_users_group", user),
    link: hasRealmPermission(permissions, "create_multiuse_invite_group", user),
  };
  const asked = query.get("kind") ?? (may.email || !may.link ? "email" : "link");
  const list = await loadInvitationList(request);
  return {
    list,
    may,
    kind: asked === "link" ? "link" as const : "email" as const,
    isFormOpen: query.has("kind") || list.isEmpty,
    options: await readOfferOptions(request),
    expiry: { usual: chat.config.invitationLinkValidityMinutes, now: chat.clock.now() },
    hasMail: chat.config.isMailDelivered,
    /** Folder that email is written to instead; null without one. */
    mailFolder: isAdmin(user) ? getMailFolder(services.config) : null,
    linkJoining: getLinkJoining(chat, realm),
  };
}

/** The invitations page: invite by email, create a link, list open invitations. */
export const invitationsPage = adminPage({
  path: "/admin/invitations",
  load: loadInvitations,
  title: "Invitations",
  find: { words: "join link sign up onboarding" },
  lede: ({ linkJoining, may }, t) =>
    may.link
      ? (
        <>
          {t(
            "Invite people by email, or share a reusable link. You cannot invite anyone to a higher role than yours.",
          )} <JoiningRule rule={linkJoining} />
        </>
      )
      : t("Invite people by email. You cannot invite anyone to a higher role than yours."),
  actions: () => <ExportButton />,
  shows: INVITES,
  forms: [...inviteForms, exportList],
  view: ({ data }) => {
    const { t } = useAdmin();
    const { list, hasMail, kind, may, options, expiry } = data;
    const { closed, Form } = KINDS[kind];
    return (
      <>
        <details open={data.isFormOpen || useRefusedForm() !== null} class="group mb-9">
          <summary
            class={`${PRIMARY_BUTTON} w-fit list-none group-open:hidden [&::-webkit-details-marker]:hidden`}
          >
            {t("Invite people")}
          </summary>
          <Panel title={t("Invite people")}>
            <Tabs
              label={t("How to invite")}
              tabs={KIND_NAMES.filter((name) => may[name])
                .map((name) => ({ path: toPath(name), name: t(KINDS[name].title) }))}
              current={toPath(kind)}
            />
            {kind === "email" && !hasMail && <NoMail folder={data.mailFolder} mayLink={may.link} />}
            {may[kind] ? <Form options={options} expiry={expiry} /> : <p>{t(closed)}</p>}
          </Panel>
        </details>
        <h2 class="mb-3">{t("Pending invitations")}</h2>
        {list.isEmpty
          ? (
            <EmptyState title={t("There are no pending invitations.")}>
              {t("Pending invitations appear here until they are accepted or expire.")}
            </EmptyState>
          )
          : <InvitationTable page={list.page} now={expiry.now} hasMail={hasMail} />}
      </>
    );
  },
});

export function JoiningRule({ rule }: { rule: LinkJoining }) {
  const { t, opens } = useAdmin();
  const path = "/admin/organization";
  return (
    <>
      {t(LINK_JOINING[rule])}{" "}
      {opens(path) && <Link class="link" href={`${path}#joining`}>{t("Change this")}</Link>}
    </>
  );
}

function NoMail({ folder, mayLink }: { folder: string | null; mayLink: boolean }) {
  const { t } = useAdmin();
  return (
    <p class="rounded-control bg-wash px-4 py-2.5 break-words">
      {folder === null
        ? t("This server sends no email.")
        : t("This server sends no email; it is written to files in {folder}.", { folder })}{" "}
      {t("Invite people here and give each of them the link of their invitation.")}{" "}
      {mayLink && <Link class="link font-medium" href="?kind=link">{t("Create a reusable link")}</Link>}
    </p>
  );
}
