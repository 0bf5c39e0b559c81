import { GONE, ROLE_TITLES } from "@/lib/ui/texts.ts";
import { ExportButton } from "@/components/admin/ActionButton.tsx";
import { useAdmin } from "@/components/admin/admin_view.ts";
import { EmptyState } from "@/components/admin/EmptyState.tsx";
import { FilterField, FilterForm } from "@/components/admin/FilterForm.tsx";
import { Pagination } from "@/components/admin/Pagination.tsx";
import { PossibleLink } from "@/components/admin/PossibleLink.tsx";
import { listVisibleChannels } from "@/lib/chat/channels/store.ts";
import { listSubscriberIds } from "@/lib/chat/channels/subscriptions/store.ts";
import type { PermissionContext } from "@/lib/chat/organization/permissions/model/membership.ts";
import {
  type PermissionOwner,
  shownPermissionRules,
} from "@/lib/chat/organization/permissions/model/registry.ts";
import { isBot, type UserRecord } from "@/lib/chat/organization/users/model.ts";
import { readDirectory } from "@/lib/chat/organization/users/store.ts";
import { AppError } from "@/lib/core/errors.ts";
import { mapInSlices, yieldToEventLoop } from "@/lib/core/yield_to_event_loop.ts";
import { FIELD_LABEL, TEXT_FIELD } from "@/lib/ui/class_names.ts";
import type { AdminRequest } from "@/lib/admin/admin_request.ts";
import { toCsvDownload } from "@/lib/admin/csv.ts";
import { form } from "@/lib/admin/declare/form.tsx";
import { Table } from "@/components/admin/Table.tsx";
import { readListView, toListPage } from "@/lib/admin/declare/list.tsx";
import { adminPage } from "@/lib/admin/declare/page.tsx";
import { always, inOrganization, ofAccount, ofMembership } from "@/lib/admin/events/shown_events.ts";
import {
  type ExplainedSubject,
  isAllowed,
  listReasons,
  READ,
} from "@/lib/admin/permissions/explain_permissions.ts";
import { withQuery } from "@/lib/admin/query.ts";
import { organizationPage } from "./organization.tsx";
import { realmPermissionsPage } from "./permissions.tsx";

const HOLDERS = { one: "{count} of {all} users can.", other: "{count} of {all} users can." };
const PATH = `${realmPermissionsPage.path}/who`;
/** Number of users that are decided, and explained, before the event loop takes its turn. */
const DECIDED_AT_ONCE = 200;
const EXPLAINED_AT_ONCE = 50;
const OWNERS = ["realm", "channel", "user_group"] as const;

/** Returns the permission that the query names as `channel.can_send_message_group`; null for none. */
function readPermission({ query }: AdminRequest): { owner: PermissionOwner; setting: string } | null {
  const [name, setting = ""] = (query.get("permission") ?? "").split(".");
  const owner = OWNERS.find((one) => one === name);
  if (owner === undefined) return null;
  const isKnown = shownPermissionRules(owner).some((rule) => rule.setting === setting) ||
    (owner === "channel" && setting === READ);
  return isKnown ? { owner, setting } : null;
}

/** Finds the object that the query names; null for none that the user can see. */
async function findSubject(
  request: AdminRequest,
  permissions: PermissionContext,
  owner: PermissionOwner,
): Promise<ExplainedSubject | null> {
  const { chat, realm, user, query } = request;
  if (owner === "realm") return { kind: "realm", owner: permissions.realm };
  const name = (query.get("object") ?? "").trim();
  if (owner === "user_group") {
    const group = permissions.groups.values().find((one) => one.name === name.replace(/^@/, ""));
    return group === undefined ? null : { kind: "user_group", owner: group };
  }
  const wanted = name.replace(/^#/, "").toLowerCase();
  const visible = await listVisibleChannels(chat, permissions, user);
  const channel = visible.find((one) => one.channel.name.toLowerCase() === wanted)?.channel;
  if (channel === undefined) return null;
  const subscribers = new Set(await listSubscriberIds(chat, realm.id, channel.id));
  return { kind: "channel", owner: channel, isSubscribed: (id) => subscribers.has(id) };
}

type Asked = NonNullable<Awaited<ReturnType<typeof readAsked>>>;

/** Returns what the query asks for; null while it names no permission or no object. */
async function readAsked(request: AdminRequest) {
  const permission = readPermission(request);
  if (permission === null) return null;
  const permissions = await request.readPermissions();
  const subject = await findSubject(request, permissions, permission.owner);
  return subject === null ? null : { permissions, subject, setting: permission.setting };
}

/** Returns the active users by name, and those of them who have a permission. */
async function findHolders({ chat, realm }: AdminRequest, asked: Asked) {
  const { byName } = await readDirectory(chat, realm.id);
  const active = byName.filter(({ is_active }) => is_active);
  const found = await mapInSlices(active, (user) => isAllowed(asked, user) ? user : null, DECIDED_AT_ONCE);
  return { active, holders: found.filter((user) => user !== null) };
}

/** Returns the role of a holder, and why they have the permission. */
function describeHolder(request: AdminRequest, asked: Asked, user: UserRecord) {
  const { t } = request;
  const reasons = listReasons(request, asked, user).toSorted((one, other) => one.length - other.length);
  return {
    ...user,
    roleName: isBot(user) ? t("Bot") : t(ROLE_TITLES[user.role]),
    reason: reasons[0] ?? "",
  };
}

async function loadHolders(request: AdminRequest) {
  const { query } = request;
  const choice = {
    permission: readPermission(request) === null ? "" : query.get("permission") ?? "",
    object: query.get("object") ?? "",
  };
  const asked = await readAsked(request);
  if (asked === null) return { ...choice, page: null };
  const { active, holders } = await findHolders(request, asked);
  const { items, ...page } = toListPage(readListView({}, query), holders);
  const described = items.map((user) => describeHolder(request, asked, user));
  return { ...choice, page: { ...page, items: described, all: active.length } };
}

async function* listRows(request: AdminRequest, asked: Asked): AsyncGenerator<readonly string[]> {
  const { holders } = await findHolders(request, asked);
  for (const [at, user] of holders.entries()) {
    if (at % EXPLAINED_AT_ONCE === 0) await yieldToEventLoop();
    const { roleName, reason } = describeHolder(request, asked, user);
    yield [user.full_name, String(user.id), roleName, reason];
  }
}

const exportHolders = form({
  action: "export",
  run: async (request) => {
    const { t } = request;
    const asked = await readAsked(request);
    if (asked === null) throw new AppError("NOT_FOUND", t(GONE));
    return toCsvDownload({
      name: "who-can.csv",
      columns: [t("User"), t("User ID"), t("Role"), t("Why")],
      rows: listRows(request, asked),
    });
  },
});

/** The page that lists who has a permission of the organization, a channel or a group, and why. */
export const whoCanPage = adminPage({
  path: PATH,
  title: "Who can…?",
  find: { words: "access permission holders" },
  lede: "Choose a permission to see who has it, and why.",
  above: [organizationPage, realmPermissionsPage],
  shows: {
    realm: inOrganization(true),
    stream: always,
    user_group: always,
    realm_user: ofAccount,
    subscription: ofMembership,
  },
  load: loadHolders,
  forms: [exportHolders],
  view: ({ data }) => {
    const { t } = useAdmin();
    const { permission, object, page } = data;
    return (
      <>
        <FilterForm clearPath={permission === "" ? null : PATH} button={t("Show")}>
          <PermissionSelect chosen={permission} />
          <FilterField name="object" type="text" label={t("Channel or group")} value={object} />
        </FilterForm>
        {page === null
          ? permission !== "" && (
            <p class="text-soft">
              {object === ""
                ? t("Enter the channel as #name, or the group as @name.")
                : t("You can see no channel or group of this name.")}
            </p>
          )
          : <Holders data={{ permission, object, page }} />}
      </>
    );
  },
});

function PermissionSelect({ chosen }: { chosen: string }) {
  const { t } = useAdmin();
  const names = { realm: t("Organization"), channel: t("Channel"), user_group: t("Group") };
  const toOption = (owner: PermissionOwner, setting: string, label: string) => {
    const value = `${owner}.${setting}`;
    return <option key={value} value={value} selected={value === chosen}>{label}</option>;
  };
  return (
    <label class="grid min-w-0 gap-y-1.5 max-sm:basis-full">
      <span class={FIELD_LABEL}>{t("Permission")}</span>
      <select name="permission" class={TEXT_FIELD}>
        {OWNERS.map((owner) => (
          <optgroup key={owner} label={names[owner]}>
            {owner === "channel" && toOption(owner, READ, t("Read messages"))}
            {shownPermissionRules(owner).map(({ setting, label }) => toOption(owner, setting, t(label)))}
          </optgroup>
        ))}
      </select>
    </label>
  );
}

type HoldersPage = NonNullable<Awaited<ReturnType<typeof loadHolders>>["page"]>;

function Holders({ data }: { data: { permission: string; object: string; page: HoldersPage } }) {
  const { t } = useAdmin();
  const { permission, object, page: { view, items, from, count, all } } = data;
  if (count === 0) return <EmptyState title={t("Nobody can.")} />;
  const toPath = (page: number) => withQuery(PATH, { permission, object, page: String(page) });
  return (
    <section aria-label={t("Who can")}>
      <div class="mb-2 flex flex-wrap items-center gap-x-5">
        <p role="status">{t(HOLDERS, { count, all })}</p>
        <ExportButton />
      </div>
      <Table
        caption={t("Who can")}
        items={items}
        columns={[
          {
            title: t("User"),
            cell: ({ id, full_name }) => (
              <PossibleLink path={`/admin/users/${id}`}>
                <bdi>{full_name}</bdi>
              </PossibleLink>
            ),
          },
          { title: t("Role"), isShort: true, cell: ({ roleName }) => roleName },
          { title: t("Why"), isWide: true, cell: ({ reason }) => <span dir="auto">{reason}</span> },
        ]}
      />
      <Pagination
        label={t("Who can")}
        range={t("{from}–{to} of {count}", { from: from + 1, to: from + items.length, count })}
        previous={view.page === 1 ? null : toPath(view.page - 1)}
        next={from + items.length < count ? toPath(view.page + 1) : null}
        isEmpty={false}
      />
    </section>
  );
}

/** Returns the address of the list of those who have a permission of an object. */
export function toWhoCanPath(owner: PermissionOwner, setting: string, object = ""): string {
  return withQuery(PATH, { permission: `${owner}.${setting}`, object });
}
