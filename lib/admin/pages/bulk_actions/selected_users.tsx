import type { UserRecord } from "@/lib/chat/organization/users/model.ts";
import { readDirectory } from "@/lib/chat/organization/users/store.ts";
import type { AdminRequest } from "@/lib/admin/admin_request.ts";
import { useTexts } from "@/lib/admin/declare/page.tsx";
import { listMatchingUsers } from "../users/users_list.ts";

const texts = { more: { one: "and {count} other", other: "and {count} others" } };

/** Name of the query's field that selects all users of the list. */
const ALL = "all";
/** Maximum number of users that are selected one by one, which fit into a URL. */
const MAX_SELECTED = 200;

/** Reads the users that a page's query selects: some by id, or all of a list with its filters. */
export async function readSelection(request: AdminRequest): Promise<readonly UserRecord[]> {
  const { chat, realm, query } = request;
  if (query.has(ALL)) return await listMatchingUsers(request);
  const { byId } = await readDirectory(chat, realm.id);
  const ids = query.getAll("user").slice(0, MAX_SELECTED).map(Number);
  return [...new Set(ids)].flatMap((id) => byId.get(id) ?? []);
}

/** Number of users that a page names. */
const MAX_NAMED = 20;

/** Renders the names of users; those of many are counted. */
export function SelectedNames({ users }: { users: readonly UserRecord[] }) {
  const { text, t } = useTexts(texts);
  const others = users.length - MAX_NAMED;
  return (
    <>
      <bdi>{users.slice(0, MAX_NAMED).map(({ full_name }) => full_name).join(", ")}</bdi>
      {others > 0 && ` ${t(text.more, { count: others })}`}
    </>
  );
}
