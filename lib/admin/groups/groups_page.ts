import { peekPermissionContext } from "@/lib/chat/permissions/store.ts";
import { SYSTEM_GROUPS, type SystemGroupName } from "@/lib/chat/permissions/model/system_groups.ts";
import { compareNames } from "@/lib/core/compare_names.ts";
import type { AdminPageSpec } from "../admin_page.ts";
import type { AdminRequest } from "../admin_request.ts";
import { countMembers, type MemberCount } from "./group_counts.ts";

/** Number of groups on a page. */
const PAGE_SIZE = 50;
const STATES = ["active", "deactivated", "all"] as const;

/** View of the list, from the URL. */
export interface GroupsView {
  readonly search: string;
  readonly state: typeof STATES[number];
  /** From 1. */
  readonly page: number;
}

/** A group in the list. */
export interface ListedGroup extends MemberCount {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly isDeactivated: boolean;
}

/** Data of the groups page. */
export interface GroupsData {
  readonly view: GroupsView;
  readonly groups: readonly ListedGroup[];
  /** Number of matching groups. */
  readonly count: number;
  /** Number of custom groups. */
  readonly total: number;
  /** Number of groups before the first one shown. */
  readonly from: number;
  readonly hasMore: boolean;
  readonly roles: readonly SystemGroupName[];
}

/** The page of all groups. */
export const groupsPage: AdminPageSpec<GroupsData> = { load: loadGroups };

async function loadGroups(request: AdminRequest): Promise<GroupsData> {
  const { chat, realm, query } = request;
  const view = readView(query);
  const permissions = await peekPermissionContext(chat, realm);
  const search = view.search.trim().toLowerCase().replace(/^@/, "");
  const wanted = [...permissions.groups.values()].filter(({ deactivated, name, description }) =>
    (view.state === "all" || deactivated === (view.state === "deactivated")) &&
    `${name}\n${description}`.toLowerCase().includes(search)
  ).sort((one, other) => compareNames(one.name, other.name));
  const lastStart = Math.max(0, Math.ceil(wanted.length / PAGE_SIZE) - 1) * PAGE_SIZE;
  const from = Math.min((view.page - 1) * PAGE_SIZE, lastStart);
  const shown = wanted.slice(from, from + PAGE_SIZE);
  const counts = await countMembers(request, permissions, shown);
  return {
    view: { ...view, page: from / PAGE_SIZE + 1 },
    groups: shown.map((group) => ({
      ...{ id: group.id, name: group.name, description: group.description },
      isDeactivated: group.deactivated,
      ...(counts.get(group.id) ?? { direct: 0, all: 0 }),
    })),
    count: wanted.length,
    total: permissions.groups.size,
    from,
    hasMore: from + PAGE_SIZE < wanted.length,
    roles: SYSTEM_GROUPS.map(({ name }) => name).filter((name) => name !== "role:internet"),
  };
}

function readView(query: URLSearchParams): GroupsView {
  const page = query.get("page") ?? "";
  return {
    search: (query.get("q") ?? "").slice(0, 200),
    state: STATES.find((state) => state === query.get("state")) ?? "active",
    page: /^[1-9]\d{0,6}$/.test(page) ? Number(page) : 1,
  };
}
