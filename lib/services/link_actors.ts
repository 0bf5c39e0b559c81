import { type AuditDetails, diffDetails } from "@/lib/chat/organization/audit/model.ts";
import { auditAction } from "@/lib/chat/organization/audit/store.ts";
import type { RealmRecord } from "@/lib/chat/organization/organizations/model.ts";
import type { UserRecord } from "@/lib/chat/organization/users/model.ts";
import type { Clock } from "@/lib/core/clock.ts";
import type { LinkActor, LinkChange } from "@/lib/links/manage/update_links.ts";
import type { LinkRecord } from "@/lib/links/store.ts";

/** Properties of a link whose changes are recorded with their values. */
const RECORDED = ["url", "title", "note", "tags", "expires_at", "max_visits"] as const;

/**
 * Returns an administrator of the root organization as the acting party of changes of links, or the holder of the shorten key when
 * `user` is null. Changes enter the audit log of that organization, if it exists.
 */
export function toLinkActor(
  { clock }: { readonly clock: Clock },
  { realm, user }: { readonly realm: RealmRecord | null; readonly user: UserRecord | null },
): LinkActor {
  return {
    creator: realm === null || user === null ? null : { realmId: realm.id, userId: user.id },
    audit: (tx, change) => {
      if (realm === null) return;
      auditAction({ app: { clock }, tx, realm, actingUser: user }, {
        action: change.action,
        target: toTarget(change),
        details: toDetails(change),
      });
    },
  };
}

function toTarget(change: LinkChange) {
  if ("host" in change) return { kind: "blocked_host", id: change.host, name: change.host } as const;
  return { kind: "link", id: encodeURIComponent(change.short), name: change.before.url } as const;
}

function toDetails(change: LinkChange): AuditDetails {
  if ("host" in change) return {};
  if (change.action === "link_deleted") return { visits_deleted: String(change.areVisitsDeleted) };
  return diffDetails(toRecorded(change.before), toRecorded(change.after), RECORDED);
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
