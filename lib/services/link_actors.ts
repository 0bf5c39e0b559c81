import { serialize } from "node:v8";
import { takeWhile } from "es-toolkit/array/takeWhile";
import {
  type AuditDetails,
  diffDetails,
  limitDetails,
  truncateText,
} from "@/lib/chat/organization/audit/model.ts";
import { auditAction, type AuditEntry, putAudit } from "@/lib/chat/organization/audit/store.ts";
import type { RealmRecord } from "@/lib/chat/organization/organizations/model.ts";
import type { UserRecord } from "@/lib/chat/organization/users/model.ts";
import type { Clock } from "@/lib/core/clock.ts";
import type { AuditedChange, LinkActor, LinkChange } from "@/lib/links/manage/update_links.ts";
import type { LinkRecord } from "@/lib/links/store.ts";

/** Properties of a link whose changes are recorded with their values. */
const RECORDED = ["url", "title", "note", "tags", "expires_at", "max_visits"] as const;

/** Actions of entries for many links by that of each. */
const MANY = {
  link_changed: "links_changed",
  link_disabled: "links_disabled",
  link_enabled: "links_enabled",
  link_deleted: "links_deleted",
} as const;

/** Maximum size in bytes of the links that one commit adds to an entry with their names; it counts them all. */
const MAX_NAMED_BYTES = 50_000;

/**
 * Returns an administrator of the root organization as the acting party of changes of links, or the holder of the shorten key when
 * `user` is null. Changes enter the audit log of that organization, if it exists; links that are changed together in one
 * entry.
 */
export function toLinkActor(
  { clock }: { readonly clock: Clock },
  { realm, user }: { readonly realm: RealmRecord | null; readonly user: UserRecord | null },
): LinkActor {
  return {
    creator: realm === null || user === null ? null : { realmId: realm.id, userId: user.id },
    audit: (tx, change) => {
      if (realm === null) return;
      if ("host" in change) {
        const target = { kind: "blocked_host", id: change.host, name: change.host } as const;
        return auditAction({ app: { clock }, tx, realm, actingUser: user }, {
          action: change.action,
          target,
        });
      }
      const { id, time, part } = change;
      const position = { realmId: realm.id, now: clock.now(), time, unique: `000000-${id}`, part };
      putAudit(tx, position, { acting_user_id: user?.id ?? null, ...toEntry(change) });
    },
  };
}

/** Returns the audit entry of links that were changed together, with the values of one commit. */
function toEntry(
  { earlier, links, isLast }: Extract<AuditedChange, { links: unknown }>,
): Omit<AuditEntry, "acting_user_id"> {
  const [first, ...others] = [...earlier, ...links];
  if (first === undefined) throw new Error("A change without links");
  const details = toDetails(first);
  const values = { before: {}, after: { links: toNamed(links) } };
  if (others.length === 0) {
    return {
      action: first.action,
      target: { kind: "link", id: idOf(first), name: first.before.url },
      details,
      // Later commits may add links to it.
      values: isLast ? undefined : values,
    };
  }
  const isSame = others.every(({ action }) => action === first.action);
  return {
    action: isSame ? MANY[first.action] : "links_changed",
    target: { kind: "link", id: 0, name: "" },
    details: { count: String(others.length + 1), ...first.action === "link_deleted" ? details : {} },
    values,
  };
}

/** Returns the first links with what changed of each, as many as a value can hold. */
function toNamed(links: readonly LinkChange[]) {
  const named = links.map((change) => ({
    id: idOf(change),
    name: truncateText(change.before.url),
    details: change.action === "link_deleted"
      ? {}
      : limitDetails({ ...toStatus(change), ...toDetails(change) }),
  }));
  let bytes = 0;
  return takeWhile(named, (link) => (bytes += serialize(link).length) <= MAX_NAMED_BYTES);
}

function idOf({ short }: LinkChange): string {
  return encodeURIComponent(short);
}

/** Returns whether a link was disabled or enabled, which the action of an entry for links of both kinds does not say. */
function toStatus({ action }: LinkChange): AuditDetails {
  return action === "link_changed" ? {} : { disabled: String(action === "link_disabled") };
}

function toDetails({ action, before, after, areVisitsDeleted }: LinkChange): AuditDetails {
  if (action === "link_deleted") return { visits_deleted: String(areVisitsDeleted) };
  return diffDetails(toRecorded(before), toRecorded(after), RECORDED);
}

/** Returns the properties of a link whose changes are recorded, by the names that the audit log uses. */
function toRecorded({ url, title, note, tags, expiresAt, maxVisits }: LinkRecord) {
  return {
    url,
    title,
    note,
    tags: tags?.join(", "),
    expires_at: expiresAt === undefined ? undefined : new Date(expiresAt).toISOString(),
    max_visits: maxVisits,
  };
}
