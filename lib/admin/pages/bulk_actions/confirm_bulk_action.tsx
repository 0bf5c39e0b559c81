import { useAdmin } from "@/components/admin/admin_view.ts";
import { type BulkChange, createBulkAction } from "@/lib/chat/register/bulk_actions/bulk_actions.ts";
import { isBot, ROLES, type UserRecord } from "@/lib/chat/organization/users/model.ts";
import { sortedUnique } from "@/lib/chat/organization/permissions/model/group_setting.ts";
import { readDirectory } from "@/lib/chat/organization/users/store.ts";
import type { AdminRequest } from "@/lib/admin/admin_request.ts";
import { confirmPage } from "@/lib/admin/declare/confirm.tsx";
import { useTexts } from "@/lib/admin/declare/page.tsx";
import { listSome } from "@/lib/admin/permissions/group_names.ts";
import { usersPage } from "../users/users.tsx";
import { nameSubject } from "./bulk_action.tsx";
import { listMatchingUsers } from "../users/users_list.ts";

const texts = {
  changes: {
    set_role: { one: "Change {count} user to {name}", other: "Change {count} users to {name}" },
    add_to_group: { one: "Add {count} user to {name}", other: "Add {count} users to {name}" },
    subscribe: { one: "Add {count} user to {name}", other: "Add {count} users to {name}" },
    unsubscribe: { one: "Remove {count} user from {name}", other: "Remove {count} users from {name}" },
    deactivate: { one: "Deactivate {count} user", other: "Deactivate {count} users" },
    reactivate: { one: "Reactivate {count} user", other: "Reactivate {count} users" },
  },
  deactivated: {
    one:
      "They are signed out everywhere and can no longer sign in or use the API. Messages are kept. You can reactivate them at any time.",
    other:
      "They are signed out everywhere and can no longer sign in or use the API. Messages are kept. You can reactivate all of them together.",
  },
  bots: {
    one: "{count} bot of theirs is also deactivated, and stays deactivated if you reactivate the users.",
    other: "{count} bots of theirs are also deactivated, and stay deactivated if you reactivate the users.",
  },
  lowered: {
    one: "{count} user loses the permissions of a higher role, and so do their bots.",
    other: "{count} users lose the permissions of a higher role, and so do their bots.",
  },
  unsubscribed:
    "They no longer get its messages. If it is private, they cannot read it anymore until someone adds them again.",
};

/** Maximum number of users that are selected one by one, which fit into a URL. */
const MAX_SELECTED = 200;

/** Reads the users that a page's query selects: some by id, or all of a list with its filters. */
export async function readSelection(request: AdminRequest): Promise<readonly UserRecord[]> {
  const { chat, realm, query } = request;
  if (query.has("all")) return await listMatchingUsers(request);
  const { byId } = await readDirectory(chat, realm.id);
  const ids = query.getAll("user").slice(0, MAX_SELECTED).map(Number);
  return [...new Set(ids)].flatMap((id) => byId.get(id) ?? []);
}

/** Number of users that a page names. */
const MAX_NAMED = 20;

/** Renders the names of users; those of many are counted. */
export function SelectedNames({ users }: { users: readonly UserRecord[] }) {
  return <bdi>{listSome(useAdmin(), users.map(({ full_name }) => full_name), MAX_NAMED)}</bdi>;
}

/** Reads the change in a page's query; null for an incomplete one. */
function readChange(query: URLSearchParams): Exclude<BulkChange, { kind: "import" }> | null {
  const kind = query.get("what");
  const id = Number(query.get("to") ?? Number.NaN);
  if (kind === "deactivate" || kind === "reactivate") return { kind };
  if (!Number.isSafeInteger(id)) return null;
  if (kind === "add_to_group") return { kind, group_id: id };
  if (kind === "subscribe" || kind === "unsubscribe") return { kind, channel_id: id };
  const role = ROLES.find((known) => known === id);
  return kind !== "set_role" || role === undefined ? null : { kind, role };
}

type ConfirmData = NonNullable<Awaited<ReturnType<typeof loadConfirmation>>>;

async function loadConfirmation(request: AdminRequest) {
  const { chat, realm } = request;
  const change = readChange(request.query);
  if (change === null) return null;
  const [users, subject, { byName }] = await Promise.all([
    readSelection(request),
    nameSubject(request, change),
    readDirectory(chat, realm.id),
  ]);
  if (users.length === 0) return null;
  if (subject === null && change.kind !== "deactivate" && change.kind !== "reactivate") return null;
  const ids = new Set(users.map(({ id }) => id));
  const isOwned = (bot: UserRecord) =>
    isBot(bot) && bot.is_active && !ids.has(bot.id) && ids.has(bot.bot_owner_id ?? 0);
  return {
    ...{ users, change, subject },
    botCount: byName.filter(isOwned).length,
    loweredCount: change.kind === "set_role" ? users.filter(({ role }) => role < change.role).length : 0,
  };
}

export const confirmBulkActionPage = confirmPage({
  path: "/admin/bulk-actions/confirm",
  load: loadConfirmation,
  title: (data, t) => t("{change}?", { change: t(...toButton(data)) }),
  above: [usersPage],
  action: "apply",
  button: (data, t) => t(...toButton(data)),
  isHarmless: ({ change: { kind }, loweredCount }) =>
    loweredCount === 0 && kind !== "deactivate" && kind !== "unsubscribe",
  // Their order in the list changes with each name and activity.
  stored: ({ users }) => sortedUnique(users.map(({ id }) => id)),
  view: ({ data }) => (
    <>
      <p>
        <SelectedNames users={data.users} />
      </p>
      <Losses data={data} />
    </>
  ),
  run: async ({ chat, caller, t }, { change, users }) => {
    const { id } = await createBulkAction(chat, caller, { change, items: users.map((user) => user.id) });
    return { flash: t("Bulk action started."), to: `/admin/bulk-actions/${id}` };
  },
});

function toButton({ change: { kind }, subject, users }: ConfirmData) {
  return [texts.changes[kind], { count: users.length, name: subject ?? "" }] as const;
}

function Losses({ data: { users, change, loweredCount, botCount } }: { data: ConfirmData }) {
  const { text, t, user: viewer } = useTexts(texts);
  switch (change.kind) {
    case "deactivate":
      return (
        <>
          <p>{t(text.deactivated, { count: users.length })}</p>
          {botCount > 0 && <p>{t(text.bots, { count: botCount })}</p>}
          {users.some(({ id }) => id === viewer.id) && <p>{t("You are among them, and stay active.")}</p>}
        </>
      );
    case "set_role":
      return loweredCount === 0 ? null : (
        <p>
          {t(text.lowered, { count: loweredCount })}{" "}
          {change.role === 600 && t("Guests see only the channels that they are subscribed to.")}
        </p>
      );
    case "unsubscribe":
      return <p>{text.unsubscribed}</p>;
    default:
      return null;
  }
}
