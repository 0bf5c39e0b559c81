import { type Key, keyName } from "./key.ts";
import type { RowId } from "./table.ts";

/**
 * Portions in which the rows of a kind are kept in memory: "core" with the first use of their organization, "whole"
 * all of them when one is first used, "parts" those below the next part of the key when one of these is first used.
 */
type Residence = "core" | "whole" | "parts";

/**
 * Kinds of rows that decide what the people of an organization may do and see. Each commit that changes one of them
 * counts up the organization's version, so a process keeps them in memory and is exact. The kind is the second part of
 * a key `[organization, kind, …]`; the record of the organization itself is `["realm", organization]`.
 */
const RESIDENCE: ReadonlyMap<unknown, Residence> = new Map<unknown, Residence>([
  ["realm", "core"],
  ["settings_defaults", "core"],
  ["settings", "core"],
  ["user", "core"],
  ["user_by_email", "core"],
  ["owner_count", "core"],
  ["bots", "core"],
  ["notification_bot", "core"],
  ["outgoing_webhooks", "core"],
  ["push_devices", "core"],
  ["group", "core"],
  ["group_by_name", "core"],
  ["group_by_form", "core"],
  ["channel", "core"],
  ["channel_by_name", "core"],
  ["channel_by_form", "core"],
  ["default_channels", "core"],
  ["subscriber_count", "core"],
  ["folder", "core"],
  ["folder_by_name", "core"],
  ["folder_by_form", "core"],
  ["folder_order", "core"],
  ["linkifiers", "core"],
  ["playgrounds", "core"],
  ["emoji", "core"],
  ["emoji_by_name", "core"],
  ["emoji_count", "core"],
  ["profile_fields", "core"],
  ["profile_values", "whole"],
  ["subscription", "parts"],
  ["subscriber", "parts"],
]);

const REALM = "realm";

/** The kinds that are in memory with their organization. */
export const CORE_KINDS: readonly string[] = [...RESIDENCE].flatMap(([kind, residence]) =>
  residence === "core" ? [String(kind)] : []
);

/** Rows that are loaded together. */
export interface Portion {
  readonly realmId: number;
  readonly kind: string;
  /** Part of the rows of a kind that is kept by parts. */
  readonly part: RowId | null;
}

/** Position of a row among those in memory. */
export interface Place extends Portion {
  readonly id: RowId;
}

/** Returns where a row is kept; null for one that is not. */
export function placeOf(key: Key): Place | null {
  const [first, second] = key;
  if (typeof first !== "number") {
    return first === REALM && key.length === 2 && typeof second === "number"
      ? { realmId: second, kind: REALM, part: null, id: 0 }
      : null;
  }
  const residence = RESIDENCE.get(second);
  if (residence === undefined || typeof second !== "string" || second === REALM) return null;
  if (residence !== "parts") return { realmId: first, kind: second, part: null, id: toRowId(key, 2) };
  const [, , part] = key;
  // Rows of other parts could not be listed by the part's name.
  if (typeof part !== "number" && typeof part !== "string") return null;
  return { realmId: first, kind: second, part, id: toRowId(key, 3) };
}

/** Returns the rows below a prefix, which is that of a kind or of a part. */
export function portionOf(prefix: Key): Portion {
  const place = placeOf([...prefix, 0]);
  if (place === null) throw new Error(`Rows below ${String(prefix[1])} are not kept in memory`);
  return place;
}

/** Returns what selects all rows of a kind, or of a part of it. */
export function rowsOf({ realmId, kind, part }: Portion): Deno.KvListSelector {
  if (kind === REALM) return { start: [REALM, realmId], end: [REALM, realmId + 1] };
  const prefix = part === null ? [realmId, kind] : [realmId, kind, part];
  // A row may have the prefix itself as its key.
  return { start: prefix, end: [...prefix, true, true] };
}

/** Whether all rows of a kind are kept together. */
export function isWhole(kind: string): boolean {
  return RESIDENCE.get(kind) !== "parts";
}

function toRowId(key: Key, from: number): RowId {
  if (key.length === from + 1) {
    const part = key[from];
    if (typeof part === "number" || typeof part === "string") return part;
  }
  return keyName(key.slice(from));
}
