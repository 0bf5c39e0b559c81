import { ActionButton, ActionLink } from "@/components/admin/ActionButton.tsx";
import { useAdmin } from "@/components/admin/admin_view.ts";
import { AdminForm } from "@/components/admin/AdminForm.tsx";
import { SelectField, TextInput } from "@/components/admin/fields.tsx";
import { useFormState } from "@/components/admin/form_state.ts";
import { Panel } from "@/components/admin/Panel.tsx";
import { PeopleSearch } from "@/components/admin/people/PeopleSearch.tsx";
import { Link } from "@/components/Link.tsx";
import { endUserSessions } from "@/lib/chat/people/auth/reset_password.ts";
import { updateBot } from "@/lib/chat/people/bots/manage_bots.ts";
import { MAX_PICTURE_BYTES, PICTURE_TOO_LARGE } from "@/lib/chat/organization/pictures.ts";
import { isBot, isOwner, ROLE, ROLES } from "@/lib/chat/organization/users/model.ts";
import { reactivateUser, updateUser } from "@/lib/chat/people/users/update_user.ts";
import { type AdminRequest, pathId } from "@/lib/admin/admin_request.ts";
import { form } from "@/lib/admin/declare/form.tsx";
import { adminPage, useTexts } from "@/lib/admin/declare/page.tsx";
import { ACCOUNT } from "@/lib/admin/events/shown_events.ts";
import { REVISION_FIELD, revisionOf } from "@/lib/admin/revision.ts";
import { addressFor, toAvatarPath } from "@/lib/admin/shown_people.ts";
import { BotDeliveries } from "../bots/bot_details.tsx";
import { membershipForms, MembershipLists, NameLinks } from "./memberships.tsx";
import { ProfileSection, saveProfile } from "./profile.tsx";
import { BotAvatar, BotFields, changeAvatar, readBotChanges } from "./user_bot.tsx";
import { loadUser, readNamed, seenUser, type UserData } from "./user_data.ts";
import { listOf, usersPage } from "./users.tsx";

const texts = {
  sessions: {
    zero: "Not signed in in any browser.",
    one: "Signed in in {count} browser.",
    other: "Signed in in {count} browsers.",
  },
  webhooks: {
    2: "Other programs post messages through the webhook URL.",
    3: "Messages for the bot are posted to its address.",
  },
};

const save = form({
  action: "save",
  parameters: {
    role: "role",
    email: "email",
    full_name: "full_name",
    payload_url: "payload_url",
    bot_owner_id: "owner",
  },
  revision: async (request) => {
    const user = await readNamed(request);
    return user && seenUser(user);
  },
  run: async (request, _, submitted) => {
    const { chat, caller, t } = request;
    const stored = await readNamed(request);
    const id = pathId(request);
    const role = ROLES.find((known) => known === submitted.int("role"));
    const full_name = submitted.exact("full_name");
    if (stored !== null && isBot(stored)) {
      const changes = await readBotChanges(request, submitted, stored);
      await updateBot(chat, caller, { id, changes: { full_name, role, ...changes } });
    } else {
      // An address hidden from the administrator is submitted empty.
      const email = submitted.exact("email").trim();
      const new_email = email === "" ? undefined : email;
      const changes = { full_name, role, new_email, profile_data: undefined };
      await updateUser(chat, caller, { name: String(id), changes });
    }
    return { flash: t("{name} saved.", { name: full_name.trim() }) };
  },
});

const endSessions = form({
  action: "end_sessions",
  run: async (request) => {
    await endUserSessions(request.chat, request.caller, pathId(request));
    return { flash: request.t("All sessions of {name} ended.", { name: await nameOf(request) }) };
  },
});

const reactivate = form({
  action: "reactivate",
  run: async (request) => {
    await reactivateUser(request.chat, request.caller, pathId(request));
    return { flash: request.t("{name} reactivated.", { name: await nameOf(request) }) };
  },
});

async function nameOf(request: AdminRequest): Promise<string> {
  return (await readNamed(request))?.full_name ?? "";
}

const MINUTE_MS = 60_000;

/** The page of an account: profile, channels, groups and access. */
export const userPage = adminPage({
  path: "/admin/users/[id]",
  load: loadUser,
  title: ({ user }) => user.full_name,
  lede: (data) => <Summary data={data} />,
  above: ({ user }, _, messages) => [listOf(user, messages)],
  shows: ACCOUNT,
  forms: [save, saveProfile, changeAvatar, ...membershipForms, endSessions, reactivate],
  files: { maxBytes: MAX_PICTURE_BYTES, tooLarge: PICTURE_TOO_LARGE, action: "avatar" },
  view: ({ data }) => {
    const { t } = useAdmin();
    const { user, owner, bots, mayChange, profile, deliveries, groups, channels } = data;
    const links = [
      ...(owner === null ? [] : [[t("Owner"), [owner]] as const]),
      ...(bots.length === 0 ? [] : [[t("Bots"), bots] as const]),
    ];
    return (
      <>
        {!mayChange && (
          <p class="mb-9 rounded-control bg-wash px-4 py-2.5">{t("Only owners can change an owner.")}</p>
        )}
        {mayChange && (user.is_active || !isBot(user)) && <Account data={data} />}
        {profile !== null && <ProfileSection mayChange={mayChange} profile={profile} />}
        {isBot(user) && mayChange && user.is_active && <BotAvatar />}
        {deliveries !== null && <BotDeliveries deliveries={deliveries} />}
        <div class="mb-9 grid gap-x-10 gap-y-7 md:grid-cols-2">
          <MembershipLists groups={groups} channels={channels} />
          {links.map(([title, users]) => (
            <NameLinks
              key={title}
              title={title}
              things={users.map(({ id, full_name }) => ({ id, name: full_name }))}
              path={usersPage.path}
            />
          ))}
        </div>
        <AccountAccess data={data} />
        {mayChange && <PeopleSearch />}
      </>
    );
  },
});

function Summary({ data: { user, owner, lastMessageAt, lastActive, now } }: { data: UserData }) {
  const { t, messages, formatter } = useAdmin();
  const date = formatter.date(user.date_joined);
  const distance = (time: number) => now - time < MINUTE_MS ? t("now") : formatter.distance(time, now);
  return (
    <>
      <img
        src={toAvatarPath(user)}
        alt=""
        width={56}
        height={56}
        class="float-start me-4 size-14 rounded-control bg-wash"
      />
      <bdi>
        {user.bot_type === null
          ? t("{role} · Joined {date}", { role: messages.shell.roles[user.role], date })
          : t("{kind} bot · Owner: {owner} · Created {date}", {
            kind: messages.users.botKinds[user.bot_type],
            owner: owner?.full_name ?? t("Nobody"),
            date,
          })}
      </bdi>
      {isBot(user) && (
        <>
          , {lastMessageAt === null
            ? t("no messages yet")
            : t("last message {distance}", { distance: distance(lastMessageAt) })}
        </>
      )}
      {lastActive !== null && <>, {t("active {distance}", { distance: distance(lastActive) })}</>}
      {!user.is_active && <strong class="mt-1 block text-accent">{t("This user is deactivated.")}</strong>}
    </>
  );
}

function Account({ data }: { data: UserData }) {
  const { t, messages, user: viewer } = useAdmin();
  const state = useFormState(save);
  const { user, isLastOwner } = data;
  const address = addressFor(viewer, user);
  return (
    <Panel title={t("Details")}>
      <AdminForm
        state={state}
        button={messages.common.save}
        hidden={{ [REVISION_FIELD]: revisionOf(seenUser(user)) }}
      >
        <div class="grid max-w-[28rem] gap-4">
          <TextInput state={state} name="full_name" label={t("Full name")} stored={user.full_name} />
          <TextInput
            state={state}
            name="email"
            type="email"
            label={t("Email address")}
            stored={address ?? ""}
            hint={t(
              isBot(user)
                ? "The email address of a bot cannot be changed."
                : address === null
                ? "You cannot see the email address. Leave this empty to keep it."
                : "Changing it signs the user out in all browsers.",
            )}
            isDisabled={isBot(user)}
          />
          <SelectField
            state={state}
            name="role"
            label={t("Role")}
            stored={String(user.role)}
            // Only owners can grant ownership, and the last owner keeps the role.
            choices={ROLES.map((role) => ({
              value: String(role),
              label: messages.shell.roles[role],
              isDisabled: isLastOwner ? role !== user.role : role === ROLE.owner && !isOwner(viewer),
            }))}
            hint={isLastOwner
              ? t("The only owner cannot change to another role. Make another user an owner first.")
              : isOwner(viewer)
              ? undefined
              : t("Only owners can assign the owner role.")}
          />
          {isBot(user) && <BotFields state={state} data={data} />}
        </div>
      </AdminForm>
    </Panel>
  );
}

/**
 * Renders how a user can sign in, with controls to end sessions, reset the API key and deactivate the
 * account.
 */
function AccountAccess({ data }: { data: UserData }) {
  const { t } = useTexts(texts);
  const problem = [useFormState(endSessions), useFormState(reactivate)]
    .flatMap(({ problems }) => problems["form"] ?? []).at(0);
  return (
    <section aria-labelledby="access-title">
      <h2 id="access-title" class="mb-2">{t("Access")}</h2>
      {problem !== undefined && <p role="alert" class="mb-2 text-accent">{problem}</p>}
      <ul class="max-w-[40rem] border-t border-rule [&>li]:flex [&>li]:flex-wrap [&>li]:items-center [&>li]:justify-between [&>li]:gap-x-6 [&>li]:border-b [&>li]:border-rule [&>li]:py-2">
        {data.user.is_active && data.mayChange && <Credentials data={data} />}
        {data.mayChange && <ActivationRow data={data} />}
        <li>
          {t("Permissions")}
          <Link
            class="link inline-flex min-h-8 items-center text-small"
            href={`/admin/users/${data.user.id}/permissions`}
          >
            {t("View permissions")}
          </Link>
        </li>
        <li>
          <Link
            class="link inline-flex min-h-8 items-center text-small"
            href={`/admin/audit?who=${data.user.id}`}
          >
            {t("View changes by this user")}
          </Link>
        </li>
      </ul>
    </section>
  );
}

function Credentials({ data: { user, sessionCount, keyUse } }: { data: UserData }) {
  const { text, t, user: viewer } = useTexts(texts);
  const { id, full_name: name, bot_type } = user;
  const isOfBot = isBot(user);
  return (
    <>
      {!isOfBot && (
        <li>
          {t(text.sessions, { count: sessionCount })}
          {sessionCount > 0 && (
            <ActionButton action="end_sessions" fields={{}}>{t("End all sessions")}</ActionButton>
          )}
        </li>
      )}
      {!isOfBot && id !== viewer.id && (
        <li>
          {t("A sign-in link is for a user who has no password or forgot it.")}
          <ActionButton
            action="make"
            to={`/admin/users/${id}/sign-in-link`}
            fields={{}}
            label={`${t("Make sign-in link")}: ${name}`}
          >
            {t("Make sign-in link")}
          </ActionButton>
        </li>
      )}
      <li>
        <span class="grid min-w-0">
          {t(isOfBot ? "Only the bot’s owner can see the API key." : "Only the user can see the API key.")}
          <span class="text-small text-soft">{keyUse}</span>
        </span>
        {isOfBot
          ? <ActionLink href={`/admin/bots/${id}/key`} about={name}>{t("Manage API key")}</ActionLink>
          : <ActionLink href={`/admin/users/${id}/reset-key`} about={name}>{t("Reset API key")}</ActionLink>}
      </li>
      {(bot_type === 2 || bot_type === 3) && (
        <li>
          {text.webhooks[bot_type]}
          <ActionLink href={`/admin/bots/${id}/webhook`} about={name}>
            {t(bot_type === 2 ? "Show URL and test" : "Test the webhook")}
          </ActionLink>
        </li>
      )}
    </>
  );
}

function ActivationRow({ data: { user: { id, full_name, is_active }, isLastOwner } }: { data: UserData }) {
  const { t } = useAdmin();
  if (!is_active) {
    return (
      <li>
        {t("This user is deactivated.")}
        <ActionButton action="reactivate" fields={{}}>{t("Reactivate user")}</ActionButton>
      </li>
    );
  }
  if (isLastOwner) {
    return (
      <li class="text-soft">
        {t("The only owner cannot be deactivated. Make another user an owner first.")}
      </li>
    );
  }
  return (
    <li>
      {t("The user is active.")}
      <ActionLink href={`/admin/users/${id}/deactivate`} about={full_name}>{t("Deactivate user")}</ActionLink>
    </li>
  );
}
