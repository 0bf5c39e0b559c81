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
import { isBot, ROLES, type UserRecord } from "@/lib/chat/organization/users/model.ts";
import { readUser } from "@/lib/chat/organization/users/store.ts";
import { reactivateUser, updateUser } from "@/lib/chat/people/users/update_user.ts";
import { type AdminRequest, pathId } from "@/lib/admin/admin_request.ts";
import { form } from "@/lib/admin/declare/form.tsx";
import { adminPage, useTexts } from "@/lib/admin/declare/page.tsx";
import { ACCOUNT } from "@/lib/admin/events/shown_events.ts";
import { requireRevision } from "@/lib/admin/revision.ts";
import { BotDeliveries } from "../bots/bot_details.tsx";
import { membershipForms, MembershipLists, NameLinks } from "./memberships.tsx";
import { ProfileSection, saveProfile } from "./profile.tsx";
import { BotAvatar, BotFields, changeAvatar, readBotChanges } from "./user_bot.tsx";
import { loadUser, seenUser, type UserData } from "./user_data.ts";
import { usersPage } from "./users.tsx";

const texts = {
  botKinds: { 1: "Generic", 2: "Incoming webhook", 3: "Outgoing webhook", 4: "Embedded" },
  roleLastOwner: "The only owner cannot change to another role. Make another user an owner first.",
  lastOwner: "The only owner cannot be deactivated. Make another user an owner first.",
  sessions: {
    zero: "Not signed in in any browser.",
    one: "Signed in in {count} browser.",
    other: "Signed in in {count} browsers.",
  },
};

const save = form({
  action: "save",
  parameters: {
    role: "role",
    password: "password",
    email: "email",
    full_name: "full_name",
    payload_url: "payload_url",
    bot_owner_id: "owner",
  },
  run: async (request, _, submitted) => {
    const { chat, caller, t } = request;
    const stored = await readNamed(request);
    if (stored !== null) requireRevision(request, submitted, seenUser(stored));
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

/** Reads the account in the path; null without one. */
function readNamed(request: AdminRequest): Promise<UserRecord | null> {
  return readUser(request.chat, request.realm.id, pathId(request));
}

async function nameOf(request: AdminRequest): Promise<string> {
  return (await readNamed(request))?.full_name ?? "";
}

const MINUTE_MS = 60_000;

/** The page of an account: profile, channels, groups and access. */
export const userPage = adminPage({
  path: "/admin/users/[id]",
  load: loadUser,
  title: ({ name }) => name,
  lede: (data) => <Summary data={data} />,
  above: [usersPage],
  shows: ACCOUNT,
  forms: [save, saveProfile, changeAvatar, ...membershipForms, endSessions, reactivate],
  files: { maxBytes: MAX_PICTURE_BYTES, tooLarge: PICTURE_TOO_LARGE, action: "avatar" },
  view: ({ data }) => {
    const { t } = useTexts(texts);
    const owner = data.bot?.owner ?? null;
    const deliveries = data.botDetails?.deliveries ?? null;
    return (
      <>
        {!data.mayChange && (
          <p class="mb-9 rounded-control bg-wash px-4 py-2.5">{t("Only owners can change an owner.")}</p>
        )}
        {data.mayChange && (data.isActive || data.bot === null) && <Account data={data} />}
        {data.profile !== null && <ProfileSection mayChange={data.mayChange} profile={data.profile} />}
        {data.botDetails !== null && data.mayChange && data.isActive && <BotAvatar />}
        {deliveries !== null && <BotDeliveries deliveries={deliveries} />}
        <div class="mb-9 grid gap-x-10 gap-y-7 md:grid-cols-2">
          <MembershipLists groups={data.groups} channels={data.channels} />
          {owner !== null && (
            <NameLinks
              title={t("Owner")}
              things={{ named: [owner], others: 0 }}
              path="/admin/users"
            />
          )}
          {data.bots.named.length > 0 && (
            <NameLinks title={t("Bots")} things={data.bots} path="/admin/users" />
          )}
        </div>
        <AccountAccess data={data} />
        {data.mayChange && <PeopleSearch />}
      </>
    );
  },
});

function Summary({ data }: { data: UserData }) {
  const { text, t, messages, formatter } = useTexts(texts);
  const date = formatter.date(data.joined);
  const kind = data.bot === null ? "" : text.botKinds[data.bot.type];
  const owner = data.bot?.owner?.name ?? t("Nobody");
  const joined = data.bot === null
    ? t("{role} · Joined {date}", { role: messages.shell.roles[data.role], date })
    : t("{kind} bot · Owner: {owner} · Created {date}", { kind, owner, date });
  return (
    <>
      <img
        src={data.avatar}
        alt=""
        width={56}
        height={56}
        class="float-start me-4 size-14 rounded-control bg-wash"
      />
      <bdi>{joined}</bdi>
      {data.botDetails !== null && <>, {lastMessage(data)}</>}
      {data.lastActive !== null && <>, {lastSeen(data, data.lastActive)}</>}
      {!data.isActive && <strong class="mt-1 block text-accent">{t("This user is deactivated.")}</strong>}
    </>
  );

  function lastMessage({ botDetails, now }: UserData): string {
    const time = botDetails?.lastMessageAt ?? null;
    if (time === null) return t("no messages yet");
    const distance = now - time < MINUTE_MS ? t("now") : formatter.distance(time, now);
    return t("last message {distance}", { distance });
  }

  function lastSeen({ now }: UserData, time: number): string {
    const distance = now - time < MINUTE_MS ? t("now") : formatter.distance(time, now);
    return t("active {distance}", { distance });
  }
}

function Account({ data }: { data: UserData }) {
  const { t, text, messages } = useTexts(texts);
  const state = useFormState(save);
  const isOfBot = data.bot !== null;
  const addressHint = isOfBot
    ? t("The email address of a bot cannot be changed.")
    : data.address === null
    ? t("You cannot see the email address. Leave this empty to keep it.")
    : t("Changing it signs the user out in all browsers.");
  return (
    <Panel title={t("Details")}>
      <AdminForm state={state} button={messages.common.save} hidden={{ seen: data.seen }}>
        <div class="grid max-w-[28rem] gap-4">
          <TextInput state={state} name="full_name" label={t("Full name")} stored={data.name} />
          <TextInput
            state={state}
            name="email"
            type="email"
            label={t("Email address")}
            stored={data.address ?? ""}
            hint={addressHint}
            isDisabled={isOfBot}
          />
          <SelectField
            state={state}
            name="role"
            label={t("Role")}
            stored={String(data.role)}
            choices={useRoles(data)}
            hint={data.isLastOwner
              ? text.roleLastOwner
              : data.mayMakeOwners
              ? undefined
              : t("Only owners can assign the owner role.")}
          />
          {data.bot !== null && <BotFields state={state} data={data} />}
        </div>
      </AdminForm>
    </Panel>
  );
}

/** Returns the selectable roles: only owners can grant ownership, and the last owner keeps the role. */
function useRoles({ role, isLastOwner, mayMakeOwners }: UserData) {
  const { messages } = useAdmin();
  return ROLES.map((offered) => ({
    value: String(offered),
    label: messages.shell.roles[offered],
    isDisabled: isLastOwner ? offered !== role : offered === 100 && !mayMakeOwners,
  }));
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
        {data.isActive && data.mayChange && <Credentials data={data} />}
        {data.mayChange && <ActivationRow data={data} />}
        <li>
          {t("Permissions")}
          <Link
            class="link inline-flex min-h-8 items-center text-small"
            href={`/admin/users/${data.id}/permissions`}
          >
            {t("View permissions")}
          </Link>
        </li>
        <li>
          <Link class="link inline-flex min-h-8 items-center text-small" href={`/admin/audit?who=${data.id}`}>
            {t("View changes by this user")}
          </Link>
        </li>
      </ul>
    </section>
  );
}

/** Renders the rows for sessions, sign-in link and API key. */
function Credentials({ data: { id, name, bot, isSelf, sessionCount, keyUse } }: { data: UserData }) {
  const { text, t, messages } = useTexts(texts);
  return (
    <>
      {bot === null && (
        <li>
          {sessionCount === 0
            ? t("Not signed in in any browser.")
            : t(text.sessions, { count: sessionCount })}
          {sessionCount > 0 && (
            <ActionButton action="end_sessions" fields={{}}>{t("End all sessions")}</ActionButton>
          )}
        </li>
      )}
      {bot === null && !isSelf && (
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
          {bot === null
            ? t("Only the user can see the API key.")
            : t("Only the bot’s owner can see the API key.")}
          <span class="text-small text-soft">{keyUse}</span>
        </span>
        {bot === null
          ? <ActionLink href={`/admin/users/${id}/reset-key`} about={name}>{t("Reset API key")}</ActionLink>
          : <ActionLink href={`/admin/bots/${id}/key`} about={name}>{t("Manage API key")}</ActionLink>}
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
  const { t, text } = useTexts(texts);
  if (!isActive) {
    return (
      <li>
        {t("This user is deactivated.")}
        <ActionButton action="reactivate" fields={{}}>{t("Reactivate user")}</ActionButton>
      </li>
    );
  }
  if (isLastOwner) return <li class="text-soft">{text.lastOwner}</li>;
  return (
    <li>
      {t("The user is active.")}
      <ActionLink href={`/admin/users/${id}/deactivate`} about={name}>{t("Deactivate user")}</ActionLink>
    </li>
  );
}
