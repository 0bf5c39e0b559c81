import type { AdminPageData } from "@/lib/admin/admin_page.ts";
import type { UserData } from "@/lib/admin/users/user_data.ts";
import { useAdmin } from "../admin_view.ts";
import { ConfirmPage } from "../ConfirmPage.tsx";

/** Renders the page that confirms deactivating an account. */
export function DeactivateUserPage({ data, refused }: AdminPageData<UserData>) {
  const { messages, formatter } = useAdmin();
  const text = messages.users;
  const { name, bots } = data;
  const count = bots.named.length + bots.others;
  return (
    <ConfirmPage
      title={formatter.t(text.deactivateTitle, { name })}
      above={useAbove(data)}
      action="deactivate"
      button={formatter.t(text.deactivateButton, { name })}
      refused={refused}
    >
      <p>{formatter.t(data.bot === null ? text.deactivateText : text.deactivateBotText, { name })}</p>
      {count > 0 && (
        <p>{formatter.t(text.botsToo, { count, bots: formatter.list(bots.named.map((bot) => bot.name)) })}</p>
      )}
      {data.isSelf && <p class="font-strong text-accent">{text.deactivateSelf}</p>}
    </ConfirmPage>
  );
}

/** Renders the page that confirms resetting an API key. */
export function ResetKeyPage({ data, refused }: AdminPageData<UserData>) {
  const { messages, formatter } = useAdmin();
  const text = messages.users;
  const { name } = data;
  return (
    <ConfirmPage
      title={formatter.t(text.resetTitle, { name })}
      above={useAbove(data)}
      action="reset_key"
      button={text.resetButton}
      refused={refused}
    >
      <p>{formatter.t(data.bot === null ? text.resetText : text.resetBotText, { name })}</p>
    </ConfirmPage>
  );
}

function useAbove({ id, name }: UserData) {
  const { messages } = useAdmin();
  return [{ path: "/admin/users", name: messages.users.title }, { path: `/admin/users/${id}`, name }];
}
