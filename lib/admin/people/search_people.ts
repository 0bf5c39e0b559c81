import type { Context } from "fresh";
import { permissionsOf } from "@/lib/chat/permissions/store.ts";
import { canSeeEmail, isBot } from "@/lib/chat/users/model.ts";
import { readDirectory } from "@/lib/chat/users/store.ts";
import type { State } from "@/lib/services/services.ts";
import { toPersonLine } from "@/lib/ui/permission_fields.ts";
import { type AdminRequest, adminRequest } from "../admin_request.ts";
import { foldName, matchPeople } from "./match_people.ts";

/** Maximum number of results. */
const LIMIT = 8;
/** Maximum length of the text, in UTF-16 units. */
const MAX_TEXT = 100;

/** A person or group that a field can name. */
export interface FoundPerson {
  /** Line of the field that names it. */
  readonly line: string;
  readonly name: string;
  readonly note: string;
}

/**
 * Answers a search of a field for people, and for groups with `groups` in the query, as JSON.
 * @throws AppError RATE_LIMIT_HIT.
 */
export async function searchPeople(ctx: Context<State>): Promise<Response> {
  const request = adminRequest(ctx);
  const { services, realm, user, query } = request;
  await services.limiter?.consume("people_search", `${realm.id} ${user.id}`);
  const text = (query.get("q") ?? "").slice(0, MAX_TEXT);
  const groups = query.has("groups") ? await findGroups(request, text) : [];
  const people = text.startsWith("@") ? [] : await findPeople(request, text);
  const results = [...people, ...groups].slice(0, LIMIT);
  return Response.json({ results }, { headers: { "cache-control": "no-store" } });
}

async function findPeople(
  { chat, realm, user: viewer, messages }: AdminRequest,
  text: string,
): Promise<readonly FoundPerson[]> {
  const { byName: users } = await readDirectory(chat, realm.id);
  return matchPeople({ users, viewer, text, limit: LIMIT }).map((found) => {
    const note = isBot(found) ? messages.users.bot : messages.shell.roles[found.role];
    const address = canSeeEmail(viewer, found) ? found.delivery_email : "";
    return {
      line: toPersonLine(found),
      name: found.full_name,
      note: [note, address].filter(Boolean).join(" · "),
    };
  });
}

async function findGroups(
  { chat, realm, messages }: AdminRequest,
  text: string,
): Promise<readonly FoundPerson[]> {
  const wanted = foldName(text.replace(/^@/, ""));
  if (wanted === "") return [];
  const { groups } = permissionsOf(await chat.readOrganization(realm.id), chat.clock);
  const found = [...groups.values()].filter((group) =>
    !group.deactivated && foldName(group.name).includes(wanted)
  );
  return found.slice(0, LIMIT).map(({ name }) => ({
    line: `@${name}`,
    name: `@${name}`,
    note: messages.permissions.group,
  }));
}
