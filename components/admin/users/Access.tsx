import type { RefusedForm } from "@/lib/admin/admin_page.ts";
import type { UserData } from "@/lib/admin/user_data.ts";
import { ActionButton, ActionLink } from "../ActionWords.tsx";
import { useAdmin } from "../admin_view.ts";
import { formState } from "../form_state.ts";

interface AccessProps {
  readonly data: UserData;
  readonly refused: RefusedForm | null;
}

/** What an account gets in with, and what can be done about it. */
export function Access({ data, refused }: AccessProps) {
  const { words } = useAdmin();
  const text = words.users;
  const problem = [formState(refused, "end_sessions"), formState(refused, "reactivate")]
    .flatMap(({ problems }) => problems["form"] ?? []).at(0);
  return (
    <section aria-labelledby="access-title">
      <h2 id="access-title" class="mb-2">{text.access}</h2>
      {problem !== undefined && <p role="alert" class="mb-2 text-accent">{problem}</p>}
      <ul class="max-w-[40rem] border-t border-rule [&>li]:flex [&>li]:flex-wrap [&>li]:items-center [&>li]:justify-between [&>li]:gap-x-6 [&>li]:border-b [&>li]:border-rule [&>li]:py-2">
        {data.isActive && data.mayChange && <Entries data={data} />}
        {data.mayChange && <Use data={data} />}
        <li>
          <a class="link inline-flex min-h-8 items-center text-small" href={`/admin/audit?who=${data.id}`}>
            {text.history}
          </a>
        </li>
      </ul>
    </section>
  );
}

/** The sessions and the key. */
function Entries({ data: { id, name, bot, sessionCount } }: { data: UserData }) {
  const { words, speech } = useAdmin();
  const text = words.users;
  return (
    <>
      {bot === null && (
        <li>
          {sessionCount === 0 ? text.noSessions : speech.say(text.sessions, { count: sessionCount })}
          {sessionCount > 0 && (
            <ActionButton action="end_sessions" fields={{}}>{text.endSessions}</ActionButton>
          )}
        </li>
      )}
      <li>
        {bot === null ? text.keyText : text.botKeyText}
        <ActionLink href={`/admin/users/${id}/reset-key`} about={name}>{text.resetKey}</ActionLink>
      </li>
    </>
  );
}

/** Whether the account can be used at all. */
function Use({ data: { id, name, isActive, isLastOwner } }: { data: UserData }) {
  const { words } = useAdmin();
  const text = words.users;
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
