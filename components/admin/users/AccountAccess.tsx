import type { RefusedForm } from "@/lib/admin/admin_page.ts";
import type { UserData } from "@/lib/admin/users/user_data.ts";
import { ActionButton, ActionLink } from "../ActionButton.tsx";
import { useAdmin } from "../admin_view.ts";
import { formState } from "../form_state.ts";
import { Link } from "../../Link.tsx";

interface AccountAccessProps {
  readonly data: UserData;
  readonly refused: RefusedForm | null;
}

/**
 * Renders how a user can sign in, with controls to end sessions, reset the API key and deactivate the
 * account.
 */
export function AccountAccess({ data, refused }: AccountAccessProps) {
  const { messages } = useAdmin();
  const text = messages.users;
  const problem = [formState(refused, "end_sessions"), formState(refused, "reactivate")]
    .flatMap(({ problems }) => problems["form"] ?? []).at(0);
  return (
    <section aria-labelledby="access-title">
      <h2 id="access-title" class="mb-2">{text.access}</h2>
      {problem !== undefined && <p role="alert" class="mb-2 text-accent">{problem}</p>}
      <ul class="max-w-[40rem] border-t border-rule [&>li]:flex [&>li]:flex-wrap [&>li]:items-center [&>li]:justify-between [&>li]:gap-x-6 [&>li]:border-b [&>li]:border-rule [&>li]:py-2">
        {data.isActive && data.mayChange && <Credentials data={data} />}
        {data.mayChange && <ActivationRow data={data} />}
        <li>
          {messages.permissions.title}
          <Link
            class="link inline-flex min-h-8 items-center text-small"
            href={`/admin/users/${data.id}/permissions`}
          >
            {messages.permissions.explain.link}
          </Link>
        </li>
        <li>
          <Link class="link inline-flex min-h-8 items-center text-small" href={`/admin/audit?who=${data.id}`}>
            {text.history}
          </Link>
        </li>
      </ul>
    </section>
  );
}

/** Renders the rows for sessions, sign-in link and API key. */
function Credentials({ data: { id, name, bot, isSelf, sessionCount, keyUse } }: { data: UserData }) {
  const { messages, formatter } = useAdmin();
  const text = messages.users;
  return (
    <>
      {bot === null && (
        <li>
          {sessionCount === 0 ? text.noSessions : formatter.t(text.sessions, { count: sessionCount })}
          {sessionCount > 0 && (
            <ActionButton action="end_sessions" fields={{}}>{text.endSessions}</ActionButton>
          )}
        </li>
      )}
      {bot === null && !isSelf && (
        <li>
          {text.signInText}
          <ActionButton
            action="make"
            to={`/admin/users/${id}/sign-in-link`}
            fields={{}}
            label={`${text.signInLink}: ${name}`}
          >
            {text.signInLink}
          </ActionButton>
        </li>
      )}
      <li>
        <span class="grid min-w-0">
          {bot === null ? text.keyText : text.botKeyText}
          <span class="text-small text-soft">{keyUse}</span>
        </span>
        {bot === null
          ? <ActionLink href={`/admin/users/${id}/reset-key`} about={name}>{text.resetKey}</ActionLink>
          : <ActionLink href={`/admin/bots/${id}/key`} about={name}>{messages.bots.keyLink}</ActionLink>}
      </li>
      {(bot?.type === 2 || bot?.type === 3) && (
        <li>
          {messages.bots.webhook.uses[bot.type]}
          <ActionLink href={`/admin/bots/${id}/webhook`} about={name}>
            {messages.bots.webhook.links[bot.type]}
          </ActionLink>
        </li>
      )}
    </>
  );
}

/** Renders the row that deactivates or reactivates the account. */
function ActivationRow({ data: { id, name, isActive, isLastOwner } }: { data: UserData }) {
  const { messages } = useAdmin();
  const text = messages.users;
  if (!isActive) {
    return (
      <li>
        {text.isDeactivated}
        <ActionButton action="reactivate" fields={{}}>{text.reactivate}</ActionButton>
      </li>
    );
  }
  if (isLastOwner) return <li class="text-soft">{text.lastOwner}</li>;
  return (
    <li>
      {text.useText}
      <ActionLink href={`/admin/users/${id}/deactivate`} about={name}>{text.deactivate}</ActionLink>
    </li>
  );
}
