import { canSeeEmail, type UserRecord } from "@/lib/chat/users/model.ts";

/** A search for accounts by a part of their name or address. */
export interface PeopleSearch {
  /** Accounts sorted by name. */
  readonly users: readonly UserRecord[];
  readonly viewer: UserRecord;
  readonly text: string;
  /** Maximum number of results. */
  readonly limit: number;
}

/** Returns a name in the form in which names are compared. */
export function foldName(name: string): string {
  return name.normalize("NFC").trim().toLowerCase();
}

/**
 * Returns the active accounts whose name, or address as far as the viewer may see it, contains a text: first those
 * whose name begins with it, then those with a word that begins with it.
 */
export function matchPeople({ users, viewer, text, limit }: PeopleSearch): readonly UserRecord[] {
  const wanted = foldName(text);
  if (wanted === "") return [];
  const ranked: UserRecord[][] = [[], [], []];
  for (const user of users) {
    if (!user.is_active) continue;
    const rank = rankOf(wanted, user, viewer);
    if (rank === null) continue;
    ranked[rank]?.push(user);
    if (ranked[0]?.length === limit) break;
  }
  return ranked.flat().slice(0, limit);
}

function rankOf(wanted: string, user: UserRecord, viewer: UserRecord): number | null {
  const name = foldName(user.full_name);
  if (name.startsWith(wanted)) return 0;
  if (name.includes(` ${wanted}`)) return 1;
  const hasAddress = canSeeEmail(viewer, user) && user.delivery_email.toLowerCase().includes(wanted);
  return hasAddress || name.includes(wanted) ? 2 : null;
}
