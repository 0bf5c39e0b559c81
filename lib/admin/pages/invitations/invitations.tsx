import { useAdmin } from "@/components/admin/admin_view.ts";
import { useFormState, useRefusedForm } from "@/components/admin/form_state.ts";
import { Panel } from "@/components/admin/Panel.tsx";
import { Link } from "@/components/Link.tsx";
import {} from "@/lib/chat/joining/invites/create_invites.ts";
import { createInviteLink } from "@/lib/chat/joining/invites/invite_links.ts";
import { parseInviteToken } from "@/lib/chat/joining/invites/model.ts";
import { getLinkJoining, type LinkJoining } from "@/lib/chat/organization/organizations/model.ts";
import { isAdmin } from "@/lib/chat/organization/users/model.ts";
import { getMailFolder } from "@/lib/mail/transport.ts";
import { PRIMARY_BUTTON, QUIET_BUTTON, TAB } from "@/lib/ui/class_names.ts";
import type { AdminRequest } from "@/lib/admin/admin_request.ts";
import { Form, form } from "@/lib/admin/declare/form.tsx";
import { adminPage } from "@/lib/admin/declare/page.tsx";
import { INVITES } from "@/lib/admin/events/shown_events.ts";
import type {} from "@/lib/admin/form_fields.ts";
import { exportInvitations, InvitationTable, loadInvitationList } from "./invitation_list.tsx";
import { InviteForm, inviteForms } from "./invite_form.tsx";
import { InvitationFields, lifetimesOf, readInvitationChoices, readOffer } from "./offer_fields.tsx";

type InvitationsData = Awaited<ReturnType<typeof loadInvitations>>;

async function loadInvitations(request: AdminRequest) {
  const { chat, services, query, realm, user } = request;
  const choices = await readInvitationChoices(request);
  const usual = choices.mayEmail || !choices.mayLink ? "email" : "link";
  const list = await loadInvitationList(request, choices.channelNames);
  return {
    list,
    isFormOpen: query.has("kind") || list.isEmpty,
    kind: (query.get("kind") ?? usual) === "link" ? "link" as const : "email" as const,
    choices,
    lifetimes: lifetimesOf(request),
    now: chat.clock.now(),
    hasMail: chat.config.isMailDelivered,
    /** Folder that email is written to instead; null without one. */
    mailFolder: isAdmin(user) ? getMailFolder(services.config) : null,
    linkJoining: getLinkJoining(chat, realm),
  };
}

const createLink = form({
  action: "create_link",
  button: "Create link",
  run: async (request, _, submitted) => {
    const { chat, caller } = request;
    const url = await createInviteLink(chat, caller, readOffer(request, submitted));
    const id = parseInviteToken(url.slice(url.lastIndexOf("/") + 1))?.id;
    const to = `/admin/invitations/link/${id ?? ""}`;
    return { flash: request.t("Link created. You can share it now."), to, result: { url } };
  },
});

const exportList = form({
  action: "export",
  run: async (request) =>
    await exportInvitations(request, (await readInvitationChoices(request)).channelNames),
});

/** The invitations page: invite by email, create a link, list open invitations. */
export const invitationsPage = adminPage({
  path: "/admin/invitations",
  load: loadInvitations,
  title: "Invitations",
  find: { words: "join link sign up onboarding" },
  lede: ({ linkJoining, choices: { mayLink } }, t) =>
    mayLink
      ? (
        <>
          {t(
            "Invite people by email, or share a reusable link. You cannot invite anyone to a higher role than yours.",
          )} <JoiningRule rule={linkJoining} />
        </>
      )
      : t("Invite people by email. You cannot invite anyone to a higher role than yours."),
  actions: () => (
    <form method="post">
      <input type="hidden" name="action" value="export" />
      <button type="submit" class={QUIET_BUTTON}>{useAdmin().t("Export CSV")}</button>
    </form>
  ),
  shows: INVITES,
  forms: [...inviteForms, createLink, exportList],
  view: ({ data }) => {
    const { t } = useAdmin();
    const { list, now, hasMail, kind, choices: { mayEmail, mayLink } } = data;
    return (
      <>
        <details open={data.isFormOpen || useRefusedForm() !== null} class="group mb-9">
          <summary
            class={`${PRIMARY_BUTTON} w-fit list-none group-open:hidden [&::-webkit-details-marker]:hidden`}
          >
            {t("Invite people")}
          </summary>
          <Panel title={t("Invite people")}>
            <Tabs data={data} />
            {kind === "email" && !hasMail && <NoMail folder={data.mailFolder} mayLink={mayLink} />}
            {kind === "email" && mayEmail && <InviteForm data={data} />}
            {kind === "link" && mayLink && <LinkForm data={data} />}
            {!(kind === "email" ? mayEmail : mayLink) && (
              <p>
                {t(
                  kind === "email"
                    ? "You do not have permission to send email invitations. An owner can change this."
                    : "You do not have permission to create reusable links. An owner can change this.",
                )}
              </p>
            )}
          </Panel>
        </details>
        <h2 class="mb-3">{t("Pending invitations")}</h2>
        <InvitationTable {...list} now={now} hasMail={hasMail} />
      </>
    );
  },
});

export function JoiningRule({ rule }: { rule: LinkJoining }) {
  const { t, messages: { invitations: text }, opens } = useAdmin();
  const path = "/admin/organization";
  return (
    <>
      {text.linkJoining[rule]}{" "}
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

function Tabs({ data: { kind, choices } }: { data: InvitationsData }) {
  const { t } = useAdmin();
  return (
    <nav aria-label={t("How to invite")} class="border-b border-rule">
      <ul class="flex flex-wrap gap-x-6">
        {[...choices.mayEmail ? ["email"] : [], ...choices.mayLink ? ["link"] : []].map((tab) => (
          <li key={tab}>
            <Link
              href={`/admin/invitations?kind=${tab}`}
              aria-current={tab === kind ? "page" : undefined}
              class={TAB}
            >
              {tab === "email" ? t("By email") : t("Reusable link")}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function LinkForm({ data }: { data: InvitationsData }) {
  const state = useFormState(createLink);
  return <Form of={createLink}>{() => <InvitationFields state={state} data={data} />}</Form>;
}
