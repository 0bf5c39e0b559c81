import type { AdminPageData } from "@/lib/admin/admin_page.ts";
import type { UserData } from "@/lib/admin/user_data.ts";
import { useAdmin } from "../admin_view.ts";
import { ConfirmPage } from "../ConfirmPage.tsx";

/** Asks before an account is deactivated. */
export function DeactivateUserPage({ data, refused }: AdminPageData<UserData>) {
  const { words, speech } = useAdmin();
  const text = words.users;
  const { name, bots } = data;
  const count = bots.named.length + bots.others;
  return (
    <ConfirmPage
      title={speech.say(text.deactivateTitle, { name })}
      above={useAbove(data)}
      action="deactivate"
      button={text.deactivateButton}
      refused={refused}
    >
      <p>{speech.say(data.bot === null ? text.deactivateText : text.deactivateBotText, { name })}</p>
      {count > 0 && (
        <p>{speech.say(text.botsToo, { count, bots: speech.list(bots.named.map((bot) => bot.name)) })}</p>
      )}
      {data.isSelf && <p class="font-strong text-accent">{text.deactivateSelf}</p>}
    </ConfirmPage>
  );
}

/** Asks before an API key stops working. */
export function ResetKeyPage({ data, refused }: AdminPageData<UserData>) {
  const { words, speech } = useAdmin();
  const text = words.users;
  const { name } = data;
  return (
    <ConfirmPage
      title={speech.say(text.resetTitle, { name })}
      above={useAbove(data)}
      action="reset_key"
      button={text.resetButton}
      refused={refused}
    >
      <p>{speech.say(data.bot === null ? text.resetText : text.resetBotText, { name })}</p>
    </ConfirmPage>
  );
}

function useAbove({ id, name }: UserData) {
  const { words } = useAdmin();
  return [{ path: "/admin/users", name: words.users.title }, { path: `/admin/users/${id}`, name }];
}
