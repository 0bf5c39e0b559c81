import type { GroupRecord } from "@/lib/chat/user_groups/model/group.ts";
import type { AdminRequest } from "../admin_request.ts";
import { readShownPeople, type ShownPerson } from "../shown_people.ts";

/** Number of members on a page. */
const PAGE_SIZE = 100;

/** A page of a group's members: sorted by name within the page, pages by the age of the accounts. */
export interface MembersPage {
  readonly people: readonly ShownPerson[];
  /** Number of direct members, deactivated accounts included. */
  readonly count: number;
  /** Number of members before the first one shown. */
  readonly from: number;
  /** From 1. */
  readonly page: number;
  readonly hasMore: boolean;
}

/** Reads the page of members that the URL asks for with `members`. */
export async function readMembersPage(
  request: AdminRequest,
  { members }: GroupRecord,
): Promise<MembersPage> {
  const asked = request.query.get("members") ?? "";
  const wanted = /^[1-9]\d{0,6}$/.test(asked) ? Number(asked) : 1;
  const page = Math.min(wanted, Math.max(1, Math.ceil(members.length / PAGE_SIZE)));
  const from = (page - 1) * PAGE_SIZE;
  const shown = members.slice(from, from + PAGE_SIZE);
  return {
    people: await readShownPeople(request, shown),
    count: members.length,
    from,
    page,
    hasMore: from + PAGE_SIZE < members.length,
  };
}
