import { BOT_KINDS, ROLE_TITLES } from "@/lib/ui/texts.ts";
import { useAdmin } from "@/components/admin/admin_view.ts";
import { PeopleSearch } from "@/components/admin/people/PeopleSearch.tsx";
import { isBot } from "@/lib/chat/organization/users/model.ts";
import { changeBotAvatar } from "@/lib/chat/people/users/avatar.ts";
import { QUIET_BUTTON } from "@/lib/ui/class_names.ts";
import { pathId } from "@/lib/admin/admin_request.ts";
import { picture } from "@/lib/admin/declare/fields.tsx";
import { Form, form } from "@/lib/admin/declare/form.tsx";
import { adminPage } from "@/lib/admin/declare/page.tsx";
import { ACCOUNT } from "@/lib/admin/events/shown_events.ts";
import { toAvatarPath } from "@/lib/admin/shown_people.ts";
import { BotDeliveries } from "../bots/bot_details.tsx";
import { AccountForm, saveAccount } from "./account_form.tsx";
import { membershipForms, MembershipLists, NameLinks } from "./memberships.tsx";
import { ProfileSection, saveProfile } from "./profile.tsx";
import { accessForms, AccountAccess } from "./user_access.tsx";
import { getNamed, loadUser, type UserData } from "./user_data.ts";
import { formatActivity, listOf, usersPage } from "./users.tsx";

const changeAvatar = form({
  action: "avatar",
  button: "Change avatar",
  fields: {
    avatar: picture({ label: "New picture", hint: "PNG, GIF, JPEG or WebP, up to {count} MiB." }),
  },
  refusedAt: "avatar",
  run: async (request, { avatar }) => {
    await changeBotAvatar(request.chat, request.caller, { id: pathId(request), files: [avatar] });
    const { full_name: name } = await getNamed(request);
    return { flash: request.t("Avatar of {name} changed.", { name }) };
  },
});

export const userPage = adminPage({
  path: "/admin/users/[id]",
  load: loadUser,
  title: ({ user }) => user.full_name,
  lede: (data) => <Summary data={data} />,
  above: ({ user }, t) => [listOf(user, t)],
  shows: ACCOUNT,
  forms: [saveAccount, saveProfile, changeAvatar, ...membershipForms, ...accessForms],
  view: ({ data }) => {
    const { t } = useAdmin();
    const { user, owner, bots, mayChange, profile, deliveries, groups, channels } = data;
    return (
      <>
        {!mayChange && (
          <p class="mb-9 rounded-control bg-wash px-4 py-2.5">{t("Only owners can change an owner.")}</p>
        )}
        {mayChange && (user.is_active || !isBot(user)) && <AccountForm data={data} />}
        {profile !== null && <ProfileSection mayChange={mayChange} profile={profile} />}
        {isBot(user) && mayChange && user.is_active && (
          <section aria-labelledby="avatar-title" class="mb-9">
            <h2 id="avatar-title" class="mb-3">{t("Avatar")}</h2>
            <Form of={changeAvatar} look={QUIET_BUTTON} />
          </section>
        )}
        {deliveries !== null && <BotDeliveries deliveries={deliveries} />}
        <div class="mb-9 grid gap-x-10 gap-y-7 md:grid-cols-2">
          <MembershipLists groups={groups} channels={channels} />
          {owner !== null && <NameLinks title={t("Owner")} things={[toNamed(owner)]} path={usersPage.path} />}
          {bots.length > 0 && (
            <NameLinks title={t("Bots")} things={bots.map(toNamed)} path={usersPage.path} />
          )}
        </div>
        <AccountAccess data={data} />
        {mayChange && <PeopleSearch />}
      </>
    );
  },
});

function toNamed({ id, full_name: name }: UserData["user"]) {
  return { id, name };
}

function Summary({ data: { user, owner, lastMessageAt, lastActive, now } }: { data: UserData }) {
  const admin = useAdmin();
  const { t, formatter } = admin;
  const date = formatter.date(user.date_joined);
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
          ? t("{role} · Joined {date}", { role: t(ROLE_TITLES[user.role]), date })
          : t("{kind} bot · Owner: {owner} · Created {date}", {
            kind: t(BOT_KINDS[user.bot_type]),
            owner: owner?.full_name ?? t("Nobody"),
            date,
          })}
      </bdi>
      {isBot(user) && (
        <>
          , {lastMessageAt === null
            ? t("no messages yet")
            : t("last message {distance}", { distance: formatActivity(admin, lastMessageAt, now) })}
        </>
      )}
      {lastActive !== null && (
        <>, {t("active {distance}", { distance: formatActivity(admin, lastActive, now) })}</>
      )}
      {!user.is_active && <strong class="mt-1 block text-accent">{t("Deactivated")}</strong>}
    </>
  );
}
