import { ActionButton, ActionLink } from "@/components/admin/ActionButton.tsx";
import { useAdmin } from "@/components/admin/admin_view.ts";
import { FormProblem } from "@/components/admin/FormProblem.tsx";
import { useFormState } from "@/components/admin/form_state.ts";
import { Link } from "@/components/Link.tsx";
import { endUserSessions } from "@/lib/chat/people/auth/reset_password.ts";
import { INCOMING_WEBHOOK_BOT, isBot, OUTGOING_WEBHOOK_BOT } from "@/lib/chat/organization/users/model.ts";
import { reactivateUser } from "@/lib/chat/people/users/update_user.ts";
import { pathId } from "@/lib/admin/admin_request.ts";
import { form } from "@/lib/admin/declare/form.tsx";
import { getNamed, type UserData } from "./user_data.ts";

const SESSIONS = {
  zero: "Not signed in in any browser.",
  one: "Signed in in {count} browser.",
  other: "Signed in in {count} browsers.",
};

/** Declares a form that acts on the account in the path. */
function accountForm(action: string, act: typeof reactivateUser, done: string) {
  return form({
    action,
    run: async (request) => {
      await act(request.chat, request.caller, pathId(request));
      return { flash: request.t(done, { name: (await getNamed(request)).full_name }) };
    },
  });
}

const endSessions = accountForm("end_sessions", endUserSessions, "All sessions of {name} ended.");
const reactivate = accountForm("reactivate", reactivateUser, "{name} reactivated.");
export const accessForms = [endSessions, reactivate];

/** Renders how a user can sign in, with controls to end sessions, reset the API key and deactivate the account. */
export function AccountAccess({ data }: { data: UserData }) {
  const { t } = useAdmin();
  const { user: { id, full_name, is_active }, mayChange } = data;
  const problem = useFormState(endSessions).problem("form") ?? useFormState(reactivate).problem("form");
  return (
    <section aria-labelledby="access-title">
      <h2 id="access-title" class="mb-2">{t("Access")}</h2>
      <FormProblem problem={problem} margin="mb-4" />
      <ul class="max-w-[40rem] border-t border-rule [&>li]:flex [&>li]:flex-wrap [&>li]:items-center [&>li]:justify-between [&>li]:gap-x-6 [&>li]:border-b [&>li]:border-rule [&>li]:py-2">
        {is_active && mayChange && <Credentials data={data} />}
        {mayChange && <Activation data={data} />}
        <li>
          {t("Permissions")}
          <Link
            class="link inline-flex min-h-8 items-center text-small"
            href={`/admin/users/${id}/permissions`}
          >
            {t("View permissions")}
          </Link>
        </li>
        <li>
          <Link class="link inline-flex min-h-8 items-center text-small" href={`/admin/audit?who=${id}`}>
            {t("View changes by {name}", { name: full_name })}
          </Link>
        </li>
      </ul>
    </section>
  );
}

function Credentials({ data: { user, sessionCount, keyUse } }: { data: UserData }) {
  const { t, user: viewer } = useAdmin();
  const { id, full_name: name, bot_type } = user;
  const isIncoming = bot_type === INCOMING_WEBHOOK_BOT;
  return (
    <>
      {!isBot(user) && (
        <li>
          {t(SESSIONS, { count: sessionCount })}
          {sessionCount > 0 && (
            <ActionButton action={endSessions.action}>{t("End all sessions")}</ActionButton>
          )}
        </li>
      )}
      {!isBot(user) && id !== viewer.id && (
        <li>
          {t("A sign-in link is for a user who has no password or forgot it.")}
          <ActionButton
            action="make"
            to={`/admin/users/${id}/sign-in-link`}
            label={`${t("Make sign-in link")}: ${name}`}
          >
            {t("Make sign-in link")}
          </ActionButton>
        </li>
      )}
      <li>
        <span class="grid min-w-0">
          {t(
            isBot(user) ? "Only the bot’s owner can see the API key." : "Only the user can see the API key.",
          )}
          <span class="text-small text-soft">{keyUse}</span>
        </span>
        {isBot(user)
          ? <ActionLink href={`/admin/bots/${id}/key`} about={name}>{t("Manage API key")}</ActionLink>
          : <ActionLink href={`/admin/users/${id}/reset-key`} about={name}>{t("Reset API key")}</ActionLink>}
      </li>
      {(isIncoming || bot_type === OUTGOING_WEBHOOK_BOT) && (
        <li>
          {t(
            isIncoming
              ? "Other programs post messages through the webhook URL."
              : "Messages for the bot are posted to its address.",
          )}
          <ActionLink href={`/admin/bots/${id}/webhook`} about={name}>
            {t(isIncoming ? "Show URL and test" : "Test the webhook")}
          </ActionLink>
        </li>
      )}
    </>
  );
}

function Activation({ data: { user, isLastOwner } }: { data: UserData }) {
  const { t } = useAdmin();
  const { id, full_name, is_active } = user;
  if (is_active && isLastOwner) {
    return (
      <li class="text-soft">
        {t("The only owner cannot be deactivated. Make another user an owner first.")}
      </li>
    );
  }
  return (
    <li>
      {t(is_active ? "Active" : "Deactivated")}
      {is_active
        ? (
          <ActionLink href={`/admin/users/${id}/deactivate`} about={full_name}>
            {t(isBot(user) ? "Deactivate bot" : "Deactivate user")}
          </ActionLink>
        )
        : (
          <ActionButton action={reactivate.action}>
            {t(isBot(user) ? "Reactivate bot" : "Reactivate user")}
          </ActionButton>
        )}
    </li>
  );
}
