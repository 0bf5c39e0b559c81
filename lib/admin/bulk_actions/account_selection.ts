import { readDirectory } from "@/lib/chat/users/store.ts";
import type { UserRecord } from "@/lib/chat/users/model.ts";
import type { AdminRequest } from "../admin_request.ts";
import { listMatchingUsers, readListQuery } from "../users/users_list.ts";

/** Name of the query's field that selects all accounts of the list. */
const ALL = "all";
/** Maximum number of accounts that are selected one by one, which fit into a URL. */
const MAX_SELECTED = 200;

/** Reads the accounts that a page's query selects: some by id, or all of a list with its filters. */
export async function readSelection(request: AdminRequest): Promise<readonly UserRecord[]> {
  const { chat, realm, query } = request;
  if (query.has(ALL)) return await listMatchingUsers(request, readListQuery(request));
  const { byId } = await readDirectory(chat, realm.id);
  const ids = query.getAll("user").slice(0, MAX_SELECTED).map(Number);
  return [...new Set(ids)].flatMap((id) => byId.get(id) ?? []);
}
