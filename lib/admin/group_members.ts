import type { GroupRecord } from "@/lib/chat/permissions/group.ts";
import type { AdminRequest } from "./admin_request.ts";
import { readShownPeople, type ShownPerson } from "./shown_people.ts";

/** Members on one page of the list. */
const PAGE_SIZE = 100;

/** Some of a group's members: those of one page by name, the pages by the age of the accounts. */
export interface MembersPage {
  readonly people: readonly ShownPerson[];
  /** How many accounts are in the group itself, deactivated ones among them. */
  readonly count: number;
  /** How many stand in front. */
  readonly from: number;
  /** From 1. */
  readonly page: number;
  readonly hasMore: boolean;
}

/** The page of a group's members that the address asks for by `members`. */
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
