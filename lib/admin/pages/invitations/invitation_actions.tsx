import { useAdmin } from "@/components/admin/admin_view.ts";
import { EmptyState } from "@/components/admin/EmptyState.tsx";
import { useDraft, useFormState } from "@/components/admin/form_state.ts";
import { Panel } from "@/components/admin/Panel.tsx";
import { SecretField } from "@/components/admin/SecretField.tsx";
import { revokeInviteLink } from "@/lib/chat/joining/invites/invite_links.ts";
import { resendInvite, revokeInvite, showInviteUrl } from "@/lib/chat/joining/invites/invite_mails.ts";
import { AppError } from "@/lib/core/errors.ts";
import { FormRefusal } from "@/lib/admin/admin_page.ts";
import { type AdminRequest, pathId } from "@/lib/admin/admin_request.ts";
import { Confirm, confirmPage } from "@/lib/admin/declare/confirm.tsx";
import { Form, form } from "@/lib/admin/declare/form.tsx";
import { adminPage } from "@/lib/admin/declare/page.tsx";
import { INVITES } from "@/lib/admin/events/shown_events.ts";
import {
  findInvitation,
  findManageable,
  type Invitation,
  INVITATIONS,
  listInvitations,
} from "./invitation_list.tsx";
import { invitationsPage } from "./invitations.tsx";

const texts = {
  revokeManyTitle: {
    zero: "Revoke invitations",
    one: "Revoke {count} invitation?",
    other: "Revoke {count} invitations?",
  },
  revokeMany: { one: "Revoke {count} invitation", other: "Revoke {count} invitations" },
  revokedMany: { one: "{count} invitation revoked.", other: "{count} invitations revoked." },
  leftOver: {
    one: "{count} was not revoked: it no longer exists, or only owners can revoke it.",
    other: "{count} were not revoked: they no longer exist, or only owners can revoke them.",
  },
};

async function revoke({ chat, caller }: AdminRequest, { kind, id }: Invitation): Promise<void> {
  if (kind === "email") await revokeInvite(chat, caller, id);
  else await revokeInviteLink(chat, caller, id);
}

function revokePage(
  kind: Invitation["kind"],
  { title, button, lost, revoked }: Readonly<Record<"title" | "button" | "lost" | "revoked", string>>,
) {
  return confirmPage({
    path: `${INVITATIONS}/${kind}/[id]/revoke`,
    load: (request) => findInvitation(request, kind),
    title: ({ id, name }, t) => t(title, { id: String(id), name }),
    above: [invitationsPage],
    shows: INVITES,
    action: "revoke",
    button,
    view: () => <p>{useAdmin().t(lost)}</p>,
    run: async (request, invitation) => {
      await revoke(request, invitation);
      return { flash: request.t(revoked, { name: invitation.name }) };
    },
  });
}

export const revokeEmailPage = revokePage("email", {
  title: "Revoke the invitation to {name}?",
  button: "Revoke invitation",
  lost: "Its link stops working. You can invite the address again.",
  revoked: "Invitation to {name} revoked.",
});

export const revokeReusablePage = revokePage("link", {
  title: "Revoke reusable link {id}?",
  button: "Revoke link",
  lost:
    "Nobody can join with it anymore, including people who have not finished joining. Those who already joined remain users.",
  revoked: "{name} revoked.",
});

export const resendPage = confirmPage({
  path: "/admin/invitations/email/[id]/resend",
  load: async (request) => {
    const invitation = await findInvitation(request, "email");
    return invitation && { ...invitation, hasMail: request.chat.config.isMailDelivered };
  },
  title: ({ email }, t) => t("Resend the invitation to {email}?", { email }),
  above: [invitationsPage],
  shows: INVITES,
  action: "resend",
  button: "Resend",
  isHarmless: true,
  view: ({ data: { hasMail } }) => (
    <p>
      {useAdmin().t(
        hasMail
          ? "This sends the same email with the same link. It counts toward today’s invitations."
          : "This server sends no email, so nothing reaches the invited person. Copy the link instead.",
      )}
    </p>
  ),
  run: async ({ chat, caller, t }, { id, email, hasMail }) => {
    await resendInvite(chat, caller, id);
    return {
      flash: t(
        hasMail
          ? "Invitation to {email} resent."
          : "No email to {email} was sent, because this server sends none.",
        { email },
      ),
    };
  },
});

const show = form({
  action: "show",
  button: "Show link",
  run: async (request) => {
    const url = await showInviteUrl(request.chat, request.caller, pathId(request));
    const { t } = request;
    const draft = (
      <Panel title={t("Link")}>
        <SecretField id="url" label={t("Link")} value={url} copy={t("Copy link")} />
      </Panel>
    );
    return { flash: "", draft };
  },
});

/** The page with the link of an email invitation, which is rendered only in the response to its form. */
export const inviteUrlPage = adminPage({
  path: "/admin/invitations/email/[id]/link",
  load: (request: AdminRequest) => findManageable(request, "email"),
  title: ({ email }, t) => t("Link of the invitation to {email}", { email }),
  lede: "Anyone with this link can join in place of the invited person, once. Pass it on privately.",
  above: [invitationsPage],
  shows: INVITES,
  forms: [show],
  view: () => useDraft(show) ?? <Form of={show} />,
});

const revokeMany = form({
  action: "revoke",
  run: async (request, _, submitted) => {
    const { t } = request;
    const keys = [...new Set(submitted.all("chosen"))];
    let count = 0;
    for (const invitation of await listChosen(request, keys)) {
      try {
        await revoke(request, invitation);
        count++;
      } catch (error) {
        // It was used or revoked meanwhile, or its role was raised; the others are revoked all the same.
        if (!(error instanceof AppError) || !/^(BAD_REQUEST|UNAUTHORIZED_PRINCIPAL)$/.test(error.code)) {
          throw error;
        }
      }
    }
    if (keys.length === 0) throw new FormRefusal({ form: t("No invitations selected.") });
    const left = keys.length - count;
    const sentences = [
      t(texts.revokedMany, { count }),
      ...left === 0 ? [] : [t(texts.leftOver, { count: left })],
    ];
    return { flash: sentences.join(" "), to: invitationsPage.path };
  },
});

/** Returns the selected invitations that are still open and that the caller may revoke. */
async function listChosen(request: AdminRequest, keys: readonly string[]): Promise<readonly Invitation[]> {
  return (await listInvitations(request)).filter(({ key, isManageable }) =>
    isManageable && keys.includes(key)
  );
}

export const revokeManyPage = adminPage({
  path: "/admin/invitations/revoke",
  find: null,
  load: (request) => listChosen(request, request.query.getAll("chosen")),
  title: ({ length: count }, t) => t(texts.revokeManyTitle, { count }),
  above: [invitationsPage],
  shows: INVITES,
  forms: [revokeMany],
  view: ({ data: invitations }) => {
    const { t } = useAdmin();
    const problem = useFormState(revokeMany).problem("form");
    if (invitations.length === 0) {
      return (
        <EmptyState title={problem ?? t("No invitations selected.")}>
          {t("Go back and select the invitations to revoke.")}
        </EmptyState>
      );
    }
    return (
      <Confirm
        action={revokeMany.action}
        button={t(texts.revokeMany, { count: invitations.length })}
        back={invitationsPage.path}
        fields={
          <ul class="border-t border-rule">
            {invitations.map(({ key, name }) => (
              <li key={key} class="border-b border-rule py-2.5 break-all">
                <input type="hidden" name="chosen" value={key} />
                <bdi>{name}</bdi>
              </li>
            ))}
          </ul>
        }
      >
        <p>{t("Their links stop working. People who already joined remain users.")}</p>
      </Confirm>
    );
  },
});
