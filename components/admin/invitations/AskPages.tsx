import type { AdminPageData } from "@/lib/admin/admin_page.ts";
import type { AskedData, AskedInvitation, AskedManyData } from "@/lib/admin/invitation_end_pages.ts";
import { PRIMARY_BUTTON } from "@/lib/ui/class_names.ts";
import { useAdmin } from "../admin_view.ts";
import { AdminHeading } from "../AdminHeading.tsx";
import { CancelLink } from "../CancelLink.tsx";
import { ConfirmPage } from "../ConfirmPage.tsx";
import { EmptyState } from "../EmptyState.tsx";
import { formState } from "../form_state.ts";

function useAbove() {
  return [{ path: "/admin/invitations", name: useAdmin().words.invitations.title }];
}

/** Asks before one invitation is revoked. */
export function RevokeInvitationPage({ data, refused }: AdminPageData<AskedData>) {
  const { words: { invitations: text }, speech } = useAdmin();
  const above = useAbove();
  const { kind, id, email } = data.invitation;
  const isLink = kind === "link";
  return (
    <ConfirmPage
      title={isLink
        ? speech.say(text.revokeLinkTitle, { id: String(id) })
        : speech.say(text.revokeEmailTitle, { email })}
      above={above}
      action="revoke"
      button={isLink ? text.revokeLink : text.revokeEmail}
      refused={refused}
    >
      <p>{isLink ? text.revokeLinkText : text.revokeEmailText}</p>
    </ConfirmPage>
  );
}

/** Asks before an invitation is sent again. */
export function ResendPage({ data, refused }: AdminPageData<AskedData>) {
  const { words: { invitations: text }, speech } = useAdmin();
  const above = useAbove();
  return (
    <ConfirmPage
      title={speech.say(text.resendTitle, { email: data.invitation.email })}
      above={above}
      action="resend"
      button={text.resendButton}
      refused={refused}
    >
      <p>{text.resendText}</p>
    </ConfirmPage>
  );
}

/** Asks before several invitations are revoked. */
export function RevokeManyPage({ data, refused }: AdminPageData<AskedManyData>) {
  const { words: { invitations: text }, speech } = useAdmin();
  const above = useAbove();
  const count = data.invitations.length;
  const general = formState(refused, "revoke").problems["form"];
  if (count === 0) {
    return (
      <>
        <AdminHeading title={text.nothingChosen} above={above} />
        <EmptyState title={general ?? text.nothingChosen}>{text.nothingChosenAdvice}</EmptyState>
      </>
    );
  }
  return (
    <>
      <AdminHeading title={speech.say(text.revokeManyTitle, { count })} above={above} />
      <form method="post" class="grid max-w-[58ch] gap-6">
        <input type="hidden" name="action" value="revoke" />
        <p>{text.revokeManyText}</p>
        <ul class="border-t border-rule">
          {data.invitations.map((one) => <Chosen key={`${one.kind}-${one.id}`} invitation={one} />)}
        </ul>
        <div class="flex flex-wrap items-center gap-x-5 gap-y-2">
          <button type="submit" class={PRIMARY_BUTTON}>{speech.say(text.revokeMany, { count })}</button>
          <CancelLink to="/admin/invitations" />
        </div>
      </form>
    </>
  );
}

function Chosen({ invitation: { kind, id, email } }: { invitation: AskedInvitation }) {
  const { words: { invitations: text }, speech } = useAdmin();
  return (
    <li class="border-b border-rule py-2.5 break-all">
      <input type="hidden" name="chosen" value={`${kind}-${id}`} />
      <bdi>{kind === "email" ? email : speech.say(text.linkNumbered, { id: String(id) })}</bdi>
    </li>
  );
}
