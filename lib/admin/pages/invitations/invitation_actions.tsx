import { AdminForm } from "@/components/admin/AdminForm.tsx";
import { CancelLink } from "@/components/admin/CancelLink.tsx";
import { EmptyState } from "@/components/admin/EmptyState.tsx";
import { useFormState, useRefusedForm } from "@/components/admin/form_state.ts";
import { Panel } from "@/components/admin/Panel.tsx";
import { SecretField } from "@/components/admin/SecretField.tsx";
import { revokeInviteLink } from "@/lib/chat/joining/invites/invite_links.ts";
import { resendInvite, revokeInvite, showInviteUrl } from "@/lib/chat/joining/invites/invite_mails.ts";
import { type ActiveInvite, readActiveInvites } from "@/lib/chat/joining/invites/store.ts";
import { AppError } from "@/lib/core/errors.ts";
import { DANGER_BUTTON } from "@/lib/ui/class_names.ts";
import { FormRefusal } from "@/lib/admin/admin_page.ts";
import { type AdminRequest, pathId } from "@/lib/admin/admin_request.ts";
import { confirmPage } from "@/lib/admin/declare/confirm.tsx";
import { form } from "@/lib/admin/declare/form.tsx";
import { adminPage, useTexts } from "@/lib/admin/declare/page.tsx";
import { INVITES } from "@/lib/admin/events/shown_events.ts";
import { idOf, mayManage, readInvitation } from "./invitation_list.tsx";
import { invitationsPage } from "./invitations.tsx";

const texts = {
  revokeLinkText:
    "Nobody can join with it any more, including people who have not finished joining. Those who already joined remain users.",
  resendText: "This sends the same email with the same link. It counts toward today’s invitations.",
  resendUnsent: "This server sends no email, so nothing reaches the invited person. Copy the link instead.",
  revokeManyTitle: { one: "Revoke {count} invitation?", other: "Revoke {count} invitations?" },
  revokeMany: { one: "Revoke {count} invitation", other: "Revoke {count} invitations" },
  urlLede: "Anyone with this link can join in place of the invited person, once. Pass it on privately.",
  revokedMany: { one: "{count} invitation revoked.", other: "{count} invitations revoked." },
  leftOver: {
    one: "{count} was not revoked: it no longer exists, or only owners can revoke it.",
    other: "{count} were not revoked: they no longer exist, or only owners can revoke them.",
  },
};

/** An invitation on a confirmation page. */
interface AskedInvitation {
  readonly kind: "email" | "link";
  readonly id: number;
  /** Empty for links. */
  readonly email: string;
}

function toAsked(open: ActiveInvite): AskedInvitation {
  return { kind: open.kind, id: idOf(open), email: open.kind === "email" ? open.invite.email : "" };
}

async function readAsked(request: AdminRequest, kind: "email" | "link"): Promise<AskedInvitation | null> {
  const open = await readInvitation(request, { kind, id: pathId(request) });
  return open === null ? null : toAsked(open);
}

/** Returns the selected invitations that are still open and that the caller may revoke. */
async function readChosen(
  request: AdminRequest,
  keys: readonly string[],
): Promise<readonly AskedInvitation[]> {
  const all = await readActiveInvites(request.chat, request.caller);
  return all.filter(({ offer }) => mayManage(request.user, offer)).map(toAsked)
    .filter(({ kind, id }) => keys.includes(`${kind}-${id}`));
}

async function revoke({ chat, caller }: AdminRequest, { kind, id }: AskedInvitation): Promise<void> {
  if (kind === "email") await revokeInvite(chat, caller, id);
  else await revokeInviteLink(chat, caller, id);
}

/** The page that confirms revoking an email invitation. */
export const revokeEmailPage = confirmPage({
  path: "/admin/invitations/email/[id]/revoke",
  load: async (request: AdminRequest) => await readAsked(request, "email"),
  title: ({ email }, t) => t("Revoke the invitation to {email}?", { email }),
  above: [invitationsPage],
  shows: INVITES,
  action: "revoke",
  button: "Revoke invitation",
  view: () => <p>{useTexts(null).t("Its link stops working. You can invite the address again.")}</p>,
  run: async (request, asked) => {
    await revoke(request, asked);
    return {
      flash: request.t("{name} revoked.", {
        name: request.t("Invitation to {email}", { email: asked.email }),
      }),
    };
  },
});

/** The page that confirms revoking a reusable link. */
export const revokeReusablePage = confirmPage({
  path: "/admin/invitations/link/[id]/revoke",
  load: async (request: AdminRequest) => await readAsked(request, "link"),
  title: ({ id }, t) => t("Revoke reusable link {id}?", { id: String(id) }),
  above: [invitationsPage],
  shows: INVITES,
  action: "revoke",
  button: "Revoke link",
  view: () => <p>{useTexts(texts).text.revokeLinkText}</p>,
  run: async (request, asked) => {
    await revoke(request, asked);
    const name = request.t("Reusable link {id}", { id: String(asked.id) });
    return { flash: request.t("{name} revoked.", { name }) };
  },
});

/** The page that confirms resending an invitation. */
export const resendPage = confirmPage({
  path: "/admin/invitations/email/[id]/resend",
  load: async (request: AdminRequest) => {
    const asked = await readAsked(request, "email");
    return asked === null ? null : { ...asked, hasMail: request.chat.config.isMailDelivered };
  },
  title: ({ email }, t) => t("Resend the invitation to {email}?", { email }),
  above: [invitationsPage],
  shows: INVITES,
  action: "resend",
  button: "Resend",
  isHarmless: true,
  view: ({ data: { hasMail } }) => {
    const { text } = useTexts(texts);
    return <p>{hasMail ? text.resendText : text.resendUnsent}</p>;
  },
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
    return { flash: "", isDraft: true, result: { url } };
  },
});

/** The page with the link of an email invitation, which is rendered only in the answer to the form. */
export const inviteUrlPage = adminPage({
  path: "/admin/invitations/email/[id]/link",
  // Invitations that the caller may not manage are treated as missing.
  load: async (request: AdminRequest) => {
    const open = await readInvitation(request, { kind: "email", id: pathId(request) });
    return open !== null && mayManage(request.user, open.offer) ? toAsked(open) : null;
  },
  title: ({ email }, t) => t("Link of the invitation to {email}", { email }),
  lede: texts.urlLede,
  above: [invitationsPage],
  shows: INVITES,
  forms: [show],
  view: () => {
    const { t } = useTexts(texts);
    const url = useRefusedForm()?.result?.["url"];
    const state = useFormState(show);
    if (typeof url !== "string") return <AdminForm state={state} button={t("Show link")} />;
    return (
      <Panel title={t("Link")}>
        <SecretField id="url" label={t("Link")} value={url} copy={t("Copy link")} />
      </Panel>
    );
  },
});

const revokeMany = form({
  action: "revoke",
  run: async (request, _, submitted) => {
    const { t } = request;
    const keys = [...new Set(submitted.all("chosen"))];
    let count = 0;
    for (const asked of await readChosen(request, keys)) {
      try {
        await revoke(request, asked);
        count++;
      } catch (error) {
        // It was used or revoked meanwhile, or its role was raised; the others are revoked all the same.
        if (!(error instanceof AppError) || !/^(BAD_REQUEST|UNAUTHORIZED_PRINCIPAL)$/.test(error.code)) {
          throw error;
        }
      }
    }
    if (keys.length === 0) throw new FormRefusal({ form: t("No invitations selected.") });
    const revoked = t(texts.revokedMany, { count });
    const left = keys.length - count;
    const flash = left === 0
      ? revoked
      : t("{revoked} {left}", { revoked, left: t(texts.leftOver, { count: left }) });
    return { flash, to: invitationsPage.path };
  },
});

/** The page that confirms revoking the invitations in its query. */
export const revokeManyPage = adminPage({
  path: "/admin/invitations/revoke",
  find: null,
  load: async (request: AdminRequest) => ({
    invitations: await readChosen(request, request.query.getAll("chosen")),
  }),
  title: ({ invitations: { length: count } }, t) =>
    count === 0 ? t("Revoke invitations") : t(texts.revokeManyTitle, { count }),
  above: [invitationsPage],
  shows: INVITES,
  forms: [revokeMany],
  view: ({ data: { invitations } }) => {
    const { text, t } = useTexts(texts);
    const problem = useFormState(revokeMany).problem("form");
    const count = invitations.length;
    if (count === 0) {
      return (
        <EmptyState title={problem ?? t("No invitations selected.")}>
          {t("Go back and select the invitations to revoke.")}
        </EmptyState>
      );
    }
    return (
      <form method="post" class="grid max-w-[58ch] gap-6">
        <input type="hidden" name="action" value="revoke" />
        <p>{t("Their links stop working. People who already joined remain users.")}</p>
        <ul class="border-t border-rule">
          {invitations.map(({ kind, id, email }) => (
            <li key={`${kind}-${id}`} class="border-b border-rule py-2.5 break-all">
              <input type="hidden" name="chosen" value={`${kind}-${id}`} />
              <bdi>{kind === "email" ? email : t("Reusable link {id}", { id: String(id) })}</bdi>
            </li>
          ))}
        </ul>
        <div class="flex flex-wrap items-center gap-x-5 gap-y-2">
          <button type="submit" class={DANGER_BUTTON}>{t(text.revokeMany, { count })}</button>
          <CancelLink to={invitationsPage.path} />
        </div>
      </form>
    );
  },
});
