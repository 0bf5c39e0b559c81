import type { AdminPageData, RefusedForm } from "@/lib/admin/admin_page.ts";
import type { UserData } from "@/lib/admin/user_data.ts";
import { useAdmin } from "../admin_view.ts";
import { AdminForm } from "../AdminForm.tsx";
import { AdminHeading } from "../AdminHeading.tsx";
import { SelectField, TextInput } from "../fields.tsx";
import { formState } from "../form_state.ts";
import { Panel } from "../Panel.tsx";
import { Access } from "./Access.tsx";
import { ThingList } from "./ThingList.tsx";

const MINUTE_MS = 60_000;
const ROLES = [100, 200, 300, 400, 600] as const;

/** One account: what it is, where it is, and its access. */
export function UserPage({ data, refused }: AdminPageData<UserData>) {
  const { words } = useAdmin();
  const text = words.users;
  const owner = data.bot?.owner ?? null;
  return (
    <>
      <AdminHeading
        title={data.name}
        above={[{ path: "/admin/users", name: text.title }]}
        lede={<Summary data={data} />}
      />
      {!data.mayChange && <p class="mb-9 rounded-control bg-wash px-4 py-2.5">{text.ownersOnly}</p>}
      {data.mayChange && (data.isActive || data.bot === null) && <Account data={data} refused={refused} />}
      <div class="mb-9 grid gap-x-10 gap-y-7 md:grid-cols-2">
        <ThingList title={text.groups} things={data.groups} path="/admin/groups" empty={text.noGroups} />
        <ThingList
          title={text.channels}
          things={data.channels}
          path="/admin/channels"
          sign="#"
          empty={text.noChannels}
        />
        {owner !== null && (
          <ThingList title={text.owner} things={{ named: [owner], others: 0 }} path="/admin/users" empty="" />
        )}
        {data.bots.named.length > 0 && (
          <ThingList title={text.ownBots} things={data.bots} path="/admin/users" empty="" />
        )}
      </div>
      <Access data={data} refused={refused} />
    </>
  );
}

function Summary({ data }: { data: UserData }) {
  const { words, speech } = useAdmin();
  const text = words.users;
  const date = speech.date(data.joined);
  const kind = data.bot === null ? "" : text.botKinds[data.bot.type];
  const owner = data.bot?.owner?.name ?? text.nobody;
  const joined = data.bot === null
    ? speech.say(text.joinedOn, { role: words.shell.roles[data.role], date })
    : speech.say(text.botOf, { kind, owner, date });
  return (
    <>
      <bdi>{joined}</bdi>
      {data.lastActive !== null && <>, {lastSeen(data, data.lastActive)}</>}
      {!data.isActive && <strong class="mt-1 block text-accent">{text.isDeactivated}</strong>}
    </>
  );

  function lastSeen({ now }: UserData, time: number): string {
    const distance = now - time < MINUTE_MS ? text.now : speech.distance(time, now);
    return speech.say(text.activeAt, { distance });
  }
}

function Account({ data, refused }: { data: UserData; refused: RefusedForm | null }) {
  const { words } = useAdmin();
  const text = words.users;
  const state = formState(refused, "save");
  const isOfBot = data.bot !== null;
  const addressHint = isOfBot
    ? text.botAddressHint
    : data.address === null
    ? text.addressHidden
    : text.addressHint;
  return (
    <Panel title={text.personPanel}>
      <AdminForm state={state} button={words.common.save} hidden={{ seen: data.seen }}>
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
        </div>
      </AdminForm>
    </Panel>
  );
}

/** What can be chosen: only owners make owners, and the last of them stays one. */
function useRoles({ role, isLastOwner, mayMakeOwners }: UserData) {
  const { words } = useAdmin();
  return ROLES.map((offered) => ({
    value: String(offered),
    label: words.shell.roles[offered],
    isDisabled: isLastOwner ? offered !== role : offered === 100 && !mayMakeOwners,
  }));
}
