import { useAdmin } from "@/components/admin/admin_view.ts";
import { useDraft } from "@/components/admin/form_state.ts";
import { Panel } from "@/components/admin/Panel.tsx";
import { SecretField } from "@/components/admin/SecretField.tsx";
import { createSignInLink, resetUserApiKey } from "@/lib/chat/people/auth/reset_password.ts";
import { deactivateBot, regenerateBotKey } from "@/lib/chat/people/bots/manage_bots.ts";
import { canManageUser, isBot, type UserRecord } from "@/lib/chat/organization/users/model.ts";
import { deactivateUser } from "@/lib/chat/people/users/update_user.ts";
import { type AdminRequest, pathId } from "@/lib/admin/admin_request.ts";
import { confirmPage } from "@/lib/admin/declare/confirm.tsx";
import { Form, form } from "@/lib/admin/declare/form.tsx";
import { adminPage } from "@/lib/admin/declare/page.tsx";
import { ACCOUNT, both, ofAccount, ofSubject } from "@/lib/admin/events/shown_events.ts";
import { listSome } from "@/lib/admin/permissions/group_names.ts";
import { getNamed, listActiveBots } from "./user_data.ts";
import { aboveUser } from "./users.tsx";

const texts = {
  reset:
    "Programs that use the current key stop working immediately. {name} can find the new key on the account page. Nobody else can see it.",
  resetBot:
    "Programs that use the current key stop working immediately. The bot’s owner can find the new key in their list of bots. It is not shown here.",
  signInLede:
    "With the link, {name} chooses a password and is signed in. It works once, within an hour, and replaces an older link. When it is used, all other sessions of {name} end, and the API key changes.",
  signInMade:
    "Copy the link now: it is not shown again. Pass it on privately, because anyone with it can sign in as {name}. It is valid until {moment}.",
  deactivate:
    "{name} is signed out everywhere and can no longer sign in or use the API. Messages are kept. You can reactivate {name} at any time.",
  deactivateBot:
    "{name} can no longer use the API. Its messages are kept. You can reactivate the bot at any time.",
  botsToo: {
    one: "{count} bot is also deactivated, and stays deactivated if you reactivate {name}: {bots}.",
    other: "{count} bots are also deactivated, and stay deactivated if you reactivate {name}: {bots}.",
  },
};

/** Maximum number of bots that are named. */
const MAX_NAMED = 100;

const SHOWN = { realm_user: both(ofSubject, ofAccount) };

async function readActive(request: AdminRequest): Promise<UserRecord | null> {
  const user = await getNamed(request);
  return user.is_active ? user : null;
}

export const deactivateUserPage = confirmPage({
  path: "/admin/users/[id]/deactivate",
  load: async (request) => {
    const user = await readActive(request);
    return user && { user, bots: await listActiveBots(request, user) };
  },
  title: ({ user: { full_name: name } }, t) => t("Deactivate {name}?", { name }),
  above: ({ user }, t) => aboveUser(user, t),
  shows: ACCOUNT,
  action: "deactivate",
  button: ({ user: { full_name: name } }, t) => t("Deactivate {name}", { name }),
  view: ({ data: { user, bots } }) => {
    const admin = useAdmin();
    const { t } = admin;
    const { full_name: name } = user;
    const names = listSome(admin, bots.map((bot) => bot.full_name), MAX_NAMED);
    return (
      <>
        <p>{t(isBot(user) ? texts.deactivateBot : texts.deactivate, { name })}</p>
        {bots.length > 0 && <p>{t(texts.botsToo, { count: bots.length, name, bots: names })}</p>}
        {user.id === admin.user.id && (
          <p class="font-strong text-accent">{t("This is you. You are signed out immediately.")}</p>
        )}
      </>
    );
  },
  run: async ({ chat, caller, t }, { user }) => {
    const { id, full_name: name } = user;
    if (isBot(user)) await deactivateBot(chat, caller, id);
    else await deactivateUser(chat, caller, { name: String(id), options: { limits: null } });
    const undo = { path: `/admin/users/${id}`, fields: { action: "reactivate" } };
    return { flash: t("{name} deactivated.", { name }), undo };
  },
});

/** The page that confirms resetting an API key; only its holder sees the new one. */
export const resetKeyPage = confirmPage({
  path: "/admin/users/[id]/reset-key",
  load: readActive,
  title: ({ full_name: name }, t) => t("Reset the API key of {name}?", { name }),
  above: aboveUser,
  shows: SHOWN,
  action: "reset_key",
  button: "Reset API key",
  view: ({ data: user }) => (
    <p>{useAdmin().t(isBot(user) ? texts.resetBot : texts.reset, { name: user.full_name })}</p>
  ),
  run: async ({ chat, caller, t }, user) => {
    const { id, full_name: name } = user;
    if (isBot(user)) await regenerateBotKey(chat, caller, id);
    else await resetUserApiKey(chat, caller, id);
    return { flash: t("API key of {name} reset.", { name }) };
  },
});

const make = form({
  action: "make",
  button: "Make sign-in link",
  run: async (request) => {
    const { chat, caller, t, formatter } = request;
    const { url, expiresAt } = await createSignInLink(chat, caller, pathId(request));
    const values = { name: (await getNamed(request)).full_name, moment: formatter.moment(expiresAt) };
    return {
      flash: "",
      draft: (
        <Panel title={t("Sign-in link")}>
          <p role="status" data-time>{t(texts.signInMade, values)}</p>
          <SecretField id="url" label={t("Sign-in link")} value={url} copy={t("Copy link")} />
        </Panel>
      ),
    };
  },
});

/** The page with a sign-in link of a user, which is rendered only in the answer to the form. */
export const signInLinkPage = adminPage({
  path: "/admin/users/[id]/sign-in-link",
  // Users for whom the caller cannot make a link are treated as missing.
  load: async (request) => {
    const { user: viewer } = request;
    const user = await readActive(request);
    const isOther = user !== null && user.id !== viewer.id && !isBot(user);
    return isOther && canManageUser(viewer, user) ? user : null;
  },
  title: ({ full_name: name }, t) => t("Sign-in link for {name}", { name }),
  lede: ({ full_name: name }, t) => t(texts.signInLede, { name }),
  above: aboveUser,
  shows: SHOWN,
  forms: [make],
  view: () => useDraft(make) ?? <Form of={make} />,
});
