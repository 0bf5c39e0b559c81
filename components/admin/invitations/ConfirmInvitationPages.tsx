import type { AdminPageData } from "@/lib/admin/admin_page.ts";
import type {
  AskedData,
  AskedInvitation,
  AskedManyData,
} from "@/lib/admin/invitations/invitation_end_pages.ts";
import { DANGER_BUTTON } from "@/lib/ui/class_names.ts";
import { useAdmin } from "../admin_view.ts";
import { AdminHeading } from "../AdminHeading.tsx";
import { CancelLink } from "../CancelLink.tsx";
import { ConfirmPage } from "../ConfirmPage.tsx";
import { EmptyState } from "../EmptyState.tsx";
import { formState } from "../form_state.ts";

function useAbove() {
  return [{ path: "/admin/invitations", name: useAdmin().messages.invitations.title }];
}

/** Renders the page that confirms revoking one invitation. */
export function RevokeInvitationPage({ data, refused }: AdminPageData<AskedData>) {
  const { messages: { invitations: text }, formatter } = useAdmin();
  const above = useAbove();
  const { kind, id, email } = data.invitation;
  const isLink = kind === "link";
  return (
    <ConfirmPage
      title={isLink
        ? formatter.t(text.revokeLinkTitle, { id: String(id) })
        : formatter.t(text.revokeEmailTitle, { email })}
      above={above}
      action="revoke"
      button={isLink ? text.revokeLink : text.revokeEmail}
      refused={refused}
    >
      <p>{isLink ? text.revokeLinkText : text.revokeEmailText}</p>
    </ConfirmPage>
  );
}

/** Renders the page that confirms resending an invitation. */
export function ResendInvitationPage({ data, refused }: AdminPageData<AskedData>) {
  const { messages: { invitations: text }, formatter } = useAdmin();
  const above = useAbove();
  return (
    <ConfirmPage
      title={formatter.t(text.resendTitle, { email: data.invitation.email })}
      above={above}
      action="resend"
      button={text.resendButton}
      isHarmless
      refused={refused}
    >
      <p>{data.hasMail ? text.resendText : text.resendUnsent}</p>
    </ConfirmPage>
  );
}

/** Renders the page that confirms revoking several invitations. */
export function RevokeInvitationsPage({ data, refused }: AdminPageData<AskedManyData>) {
  const { messages: { invitations: text }, formatter } = useAdmin();
  const above = useAbove();
  const count = data.invitations.length;
  const general = formState(refused, "revoke").problems["form"];
  if (count === 0) {
    return (
      <>
        <AdminHeading title={text.revokeNoneTitle} above={above} />
        <EmptyState title={general ?? text.nothingChosen}>{text.nothingChosenAdvice}</EmptyState>
      </>
    );
  }
  return (
    <>
      <AdminHeading title={formatter.t(text.revokeManyTitle, { count })} above={above} />
      <form method="post" class="grid max-w-[58ch] gap-6">
        <input type="hidden" name="action" value="revoke" />
        <p>{text.revokeManyText}</p>
        <ul class="border-t border-rule">
          {data.invitations.map((one) => (
            <SelectedInvitation
              key={`${one.kind}-${one.id}`}
              invitation={one}
            />
          ))}
        </ul>
        <div class="flex flex-wrap items-center gap-x-5 gap-y-2">
          <button type="submit" class={DANGER_BUTTON}>{formatter.t(text.revokeMany, { count })}</button>
          <CancelLink to="/admin/invitations" />
        </div>
      </form>
    </>
  );
}

function SelectedInvitation({ invitation: { kind, id, email } }: { invitation: AskedInvitation }) {
  const { messages: { invitations: text }, formatter } = useAdmin();
  return (
    <li class="border-b border-rule py-2.5 break-all">
      <input type="hidden" name="chosen" value={`${kind}-${id}`} />
      <bdi>{kind === "email" ? email : formatter.t(text.linkNumbered, { id: String(id) })}</bdi>
    </li>
  );
}
