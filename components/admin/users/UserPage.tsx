import type { AdminPageData, RefusedForm } from "@/lib/admin/admin_page.ts";
import type { UserData } from "@/lib/admin/users/user_data.ts";
import { useAdmin } from "../admin_view.ts";
import { AdminForm } from "../AdminForm.tsx";
import { AdminHeading } from "../AdminHeading.tsx";
import { SelectField, TextInput } from "../fields.tsx";
import { formState } from "../form_state.ts";
import { Panel } from "../Panel.tsx";
import { AccountAccess } from "./AccountAccess.tsx";
import { BotAvatar } from "../bots/BotAvatar.tsx";
import { BotDeliveries } from "../bots/BotDeliveries.tsx";
import { BotFields } from "../bots/BotFields.tsx";
import { PeopleSearch } from "../people/PeopleSearch.tsx";
import { ProfileSection } from "./ProfileSection.tsx";
import { NameLinks } from "./NameLinks.tsx";

const MINUTE_MS = 60_000;
const ROLES = [100, 200, 300, 400, 600] as const;

/** Renders the page of an account: profile, channels, groups and access. */
export function UserPage({ data, refused }: AdminPageData<UserData>) {
  const { messages } = useAdmin();
  const text = messages.users;
  const owner = data.bot?.owner ?? null;
  const deliveries = data.botDetails?.deliveries ?? null;
  return (
    <>
      <AdminHeading
        title={data.name}
        above={[{ path: "/admin/users", name: text.title }]}
        lede={<Summary data={data} />}
      />
      {!data.mayChange && <p class="mb-9 rounded-control bg-wash px-4 py-2.5">{text.ownersOnly}</p>}
      {data.mayChange && (data.isActive || data.bot === null) && <Account data={data} refused={refused} />}
      {data.profile !== null && <ProfileSection data={data} profile={data.profile} refused={refused} />}
      {data.botDetails !== null && data.mayChange && data.isActive && (
        <BotAvatar avatar={data.botDetails.avatar} refused={refused} />
      )}
      {deliveries !== null && <BotDeliveries deliveries={deliveries} />}
      <div class="mb-9 grid gap-x-10 gap-y-7 md:grid-cols-2">
        <NameLinks title={text.groups} things={data.groups} path="/admin/groups" empty={text.noGroups} />
        <NameLinks
          title={text.channels}
          things={data.channels}
          path="/admin/channels"
          sign="#"
          empty={text.noChannels}
        />
        {owner !== null && (
          <NameLinks title={text.owner} things={{ named: [owner], others: 0 }} path="/admin/users" empty="" />
        )}
        {data.bots.named.length > 0 && (
          <NameLinks title={text.ownBots} things={data.bots} path="/admin/users" empty="" />
        )}
      </div>
      <AccountAccess data={data} refused={refused} />
      {data.mayChange && <PeopleSearch />}
    </>
  );
}

function Summary({ data }: { data: UserData }) {
  const { messages, formatter } = useAdmin();
  const text = messages.users;
  const date = formatter.date(data.joined);
  const kind = data.bot === null ? "" : text.botKinds[data.bot.type];
  const owner = data.bot?.owner?.name ?? text.nobody;
  const joined = data.bot === null
    ? formatter.t(text.joinedOn, { role: messages.shell.roles[data.role], date })
    : formatter.t(text.botOf, { kind, owner, date });
  return (
    <>
      <bdi>{joined}</bdi>
      {data.botDetails !== null && <>, {lastMessage(data)}</>}
      {data.lastActive !== null && <>, {lastSeen(data, data.lastActive)}</>}
      {!data.isActive && <strong class="mt-1 block text-accent">{text.isDeactivated}</strong>}
    </>
  );

  function lastMessage({ botDetails, now }: UserData): string {
    const time = botDetails?.lastMessageAt ?? null;
    if (time === null) return messages.bots.noMessages;
    const distance = now - time < MINUTE_MS ? text.now : formatter.distance(time, now);
    return formatter.t(messages.bots.lastMessage, { distance });
  }

  function lastSeen({ now }: UserData, time: number): string {
    const distance = now - time < MINUTE_MS ? text.now : formatter.distance(time, now);
    return formatter.t(text.activeAt, { distance });
  }
}

function Account({ data, refused }: { data: UserData; refused: RefusedForm | null }) {
  const { messages } = useAdmin();
  const text = messages.users;
  const state = formState(refused, "save");
  const isOfBot = data.bot !== null;
  const addressHint = isOfBot
    ? text.botAddressHint
    : data.address === null
    ? text.addressHidden
    : text.addressHint;
  return (
    <Panel title={text.personPanel}>
      <AdminForm state={state} button={messages.common.save} hidden={{ seen: data.seen }}>
        <div class="grid max-w-[28rem] gap-4">
          <TextInput state={state} name="full_name" label={text.fullName} stored={data.name} />
          <TextInput
            state={state}
            name="email"
            type="email"
            label={text.address}
            stored={data.address ?? ""}
            hint={addressHint}
            isDisabled={isOfBot}
          />
          <SelectField
            state={state}
            name="role"
            label={text.role}
            stored={String(data.role)}
            choices={useRoles(data)}
            hint={data.isLastOwner ? text.roleLastOwner : data.mayMakeOwners ? undefined : text.roleHint}
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
