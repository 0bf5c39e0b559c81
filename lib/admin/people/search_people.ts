import { ROLE_TITLES } from "@/lib/ui/texts.ts";
import { normalizeText } from "@/lib/core/text.ts";
import type { Context } from "fresh";
import { canSeeEmail, isBot, type UserRecord } from "@/lib/chat/organization/users/model.ts";
import { readDirectory } from "@/lib/chat/organization/users/store.ts";
import type { State } from "@/lib/services/services.ts";
import { toPersonLine } from "@/lib/ui/permission_fields.ts";
import { type AdminRequest, adminRequest } from "../admin_request.ts";
import { addressFor } from "../shown_people.ts";

/** Maximum number of people, or of groups, that a search finds. */
export const MAX_MATCHES = 8;
/** Maximum length of the text, in UTF-16 units. */
const MAX_TEXT = 100;

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
  const results = [...people, ...groups].slice(0, MAX_MATCHES);
  return Response.json({ results }, { headers: { "cache-control": "no-store" } });
}

async function findPeople(request: AdminRequest, text: string) {
  const { byName } = await readDirectory(request.chat, request.realm.id);
  return matchPeople(request, byName, text).map((found) => {
    const role = isBot(found) ? request.t("bot") : request.t(ROLE_TITLES[found.role]);
    const note = [role, addressFor(request.user, found)].filter((part) => part !== null).join(" · ");
    return { line: toPersonLine(found), name: found.full_name, note };
  });
}

async function findGroups({ t, readPermissions }: AdminRequest, text: string) {
  const wanted = foldName(text.replace(/^@/, ""));
  if (wanted === "") return [];
  const found = (await readPermissions()).groups.values().filter((group) =>
    !group.deactivated && foldName(group.name).includes(wanted)
  );
  return [...found.take(MAX_MATCHES)].map(({ name }) => ({
    line: `@${name}`,
    name: `@${name}`,
    note: t("Group"),
  }));
}

/** Returns a name in the form in which names are compared. */
export function foldName(name: string): string {
  return normalizeText(name, "NFC").trim().toLowerCase();
}

/**
 * Returns the active accounts of a sorted list whose name, or address as far as the viewer may see it, contains a text:
 * first those whose name begins with it, then those with a word that begins with it.
 */
export function matchPeople(
  { user: viewer }: AdminRequest,
  users: readonly UserRecord[],
  text: string,
): readonly UserRecord[] {
  const wanted = foldName(text);
  if (wanted === "") return [];
  const ranked: UserRecord[][] = [[], [], []];
  for (const user of users) {
    if (!user.is_active) continue;
    const rank = rankOf(wanted, user, viewer);
    if (rank === null) continue;
    ranked[rank]?.push(user);
    if (ranked[0]?.length === MAX_MATCHES) break;
  }
  return ranked.flat().slice(0, MAX_MATCHES);
}

function rankOf(wanted: string, user: UserRecord, viewer: UserRecord): number | null {
  const name = foldName(user.full_name);
  if (name.startsWith(wanted)) return 0;
  if (name.includes(` ${wanted}`)) return 1;
  const hasAddress = canSeeEmail(viewer, user) && user.delivery_email.toLowerCase().includes(wanted);
  return hasAddress || name.includes(wanted) ? 2 : null;
}
