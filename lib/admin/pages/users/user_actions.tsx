import { useRefusedForm } from "@/components/admin/form_state.ts";
import { Panel } from "@/components/admin/Panel.tsx";
import { SecretField } from "@/components/admin/SecretField.tsx";
import { createSignInLink, resetUserApiKey } from "@/lib/chat/people/auth/reset_password.ts";
import { deactivateBot, regenerateBotKey } from "@/lib/chat/people/bots/manage_bots.ts";
import { deactivateUser } from "@/lib/chat/people/users/update_user.ts";
import { type AdminRequest, pathId } from "@/lib/admin/admin_request.ts";
import { confirmPage } from "@/lib/admin/declare/confirm.tsx";
import { Form, form } from "@/lib/admin/declare/form.tsx";
import { adminPage, useTexts } from "@/lib/admin/declare/page.tsx";
import { ACCOUNT, both, ofAccount, ofSubject } from "@/lib/admin/events/shown_events.ts";
import { loadUser, mayGetSignInLink, type UserData } from "./user_data.ts";
import { usersPage } from "./users.tsx";

const texts = {
  resetText:
    "Programs that use the current key stop working immediately. {name} can find the new key on the account page. Nobody else can see it.",
  resetBotText:
    "Programs that use the current key stop working immediately. The bot’s owner can find the new key in their list of bots. It is not shown here.",
  signInLede:
    "With the link, {name} chooses a password and is signed in. It works once, within an hour, and replaces an older link. When it is used, all other sessions of {name} end, and the API key changes.",
  signInMade:
    "Copy the link now: it is not shown again. Pass it on privately, because anyone with it can sign in as {name}. It is valid until {moment}.",
  deactivateText:
    "{name} is signed out everywhere and can no longer sign in or use the API. Messages are kept. You can reactivate {name} at any time.",
  deactivateBotText:
    "{name} can no longer use the API. Its messages are kept. You can reactivate the bot at any time.",
  botsToo: {
    one: "{count} bot is also deactivated, and stays deactivated if you reactivate {name}: {bots}.",
    other: "{count} bots are also deactivated, and stay deactivated if you reactivate {name}: {bots}.",
  },
};

const SHOWN = { realm_user: both(ofSubject, ofAccount) };

async function loadActive(request: AdminRequest): Promise<UserData | null> {
  const user = await loadUser(request);
  return user?.isActive ? user : null;
}

const above = ({ id, name }: UserData) => [usersPage, { path: `/admin/users/${id}`, name }];

/** The page that confirms deactivating an account. */
export const deactivateUserPage = confirmPage({
  path: "/admin/users/[id]/deactivate",
  load: loadActive,
  title: ({ name }, t) => t("Deactivate {name}?", { name }),
  above,
  shows: ACCOUNT,
  action: "deactivate",
  button: ({ name }, t) => t("Deactivate {name}", { name }),
  view: ({ data: { name, bot, bots, isSelf } }) => {
    const { text, t, formatter } = useTexts(texts);
    const count = bots.named.length + bots.others;
    return (
      <>
        <p>{t(bot === null ? text.deactivateText : text.deactivateBotText, { name })}</p>
        {count > 0 && (
          <p>{t(text.botsToo, { count, name, bots: formatter.list(bots.named.map((bot) => bot.name)) })}</p>
        )}
        {isSelf && <p class="font-strong text-accent">{t("This is you. You are signed out immediately.")}</p>}
      </>
    );
  },
  run: async ({ chat, caller, t }, { id, name, bot }) => {
    if (bot !== null) await deactivateBot(chat, caller, id);
    else await deactivateUser(chat, caller, { name: String(id), options: { limits: null } });
    const undo = { path: `/admin/users/${id}`, fields: { action: "reactivate" } };
    return { flash: t("{name} deactivated.", { name }), undo };
  },
});

/** The page that confirms resetting an API key; only its holder sees the new one. */
export const resetKeyPage = confirmPage({
  path: "/admin/users/[id]/reset-key",
  load: loadActive,
  title: ({ name }, t) => t("Reset the API key of {name}?", { name }),
  above,
  shows: SHOWN,
  action: "reset_key",
  button: "Reset API key",
  view: ({ data: { name, bot } }) => (
    <p>{useTexts(texts).t(bot === null ? texts.resetText : texts.resetBotText, { name })}</p>
  ),
  run: async ({ chat, caller, t }, { id, name, bot }) => {
    if (bot !== null) await regenerateBotKey(chat, caller, id);
    else await resetUserApiKey(chat, caller, id);
    return { flash: t("API key of {name} reset.", { name }) };
  },
});

const make = form({
  action: "make",
  button: "Make sign-in link",
  run: async (request) => {
    const { url, expiresAt } = await createSignInLink(request.chat, request.caller, pathId(request));
    return { flash: "", isDraft: true, result: { url, expiresAt } };
  },
});

/** The page with a sign-in link of a user, which is rendered only in the answer to the form. */
export const signInLinkPage = adminPage({
  path: "/admin/users/[id]/sign-in-link",
  // Users for whom the caller cannot make a link are treated as missing.
  load: async (request: AdminRequest) => {
    const user = await loadActive(request);
    return user !== null && mayGetSignInLink(user) ? user : null;
  },
  title: ({ name }, t) => t("Sign-in link for {name}", { name }),
  lede: ({ name }, t) => t(texts.signInLede, { name }),
  above,
  shows: SHOWN,
  forms: [make],
  view: ({ data: { name } }) => {
    const { text, t, formatter } = useTexts(texts);
    const { url, expiresAt } = useRefusedForm()?.result ?? {};
    if (typeof url !== "string" || typeof expiresAt !== "number") return <Form of={make} />;
    return (
      <Panel title={t("Sign-in link")}>
        <p role="status" data-time>{t(text.signInMade, { name, moment: formatter.moment(expiresAt) })}</p>
        <SecretField id="url" label={t("Sign-in link")} value={url} copy={t("Copy link")} />
      </Panel>
    );
  },
});
