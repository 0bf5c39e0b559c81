import type { Key } from "@/lib/kv/key.ts";

/** Everything that is noted, by what it happened to. */
export const AUDIT_ACTIONS = {
  realm: ["realm_created", "realm_changed", "realm_deactivated"],
  domain: ["domain_added", "domain_changed", "domain_removed"],
  user: [
    "user_created",
    "user_deactivated",
    "user_reactivated",
    "user_role_changed",
    "user_renamed",
    "user_email_changed",
    "user_profile_changed",
    "user_settings_changed",
    "user_key_reset",
    "user_sessions_ended",
  ],
  bot: ["bot_created", "bot_changed", "bot_deactivated", "bot_reactivated", "bot_key_reset"],
  invite: ["invite_created", "invite_resent", "invite_revoked", "invite_accepted"],
  invite_link: ["invite_link_created", "invite_link_changed", "invite_link_revoked", "invite_link_used"],
  group: [
    "group_created",
    "group_changed",
    "group_deactivated",
    "group_reactivated",
    "group_members_changed",
  ],
  channel: [
    "channel_created",
    "channel_changed",
    "channel_archived",
    "channel_unarchived",
    "default_channel_added",
    "default_channel_removed",
  ],
  folder: ["folder_created", "folder_changed", "folder_archived", "folder_restored", "folder_reordered"],
  linkifier: ["linkifier_created", "linkifier_changed", "linkifier_deleted", "linkifier_reordered"],
  profile_field: [
    "profile_field_created",
    "profile_field_changed",
    "profile_field_deleted",
    "profile_field_reordered",
  ],
  emoji: ["emoji_added", "emoji_removed"],
} as const;

/** What a change can be about. */
export type AuditKind = keyof typeof AUDIT_ACTIONS;
/** What was done. */
export type AuditAction = typeof AUDIT_ACTIONS[AuditKind][number];

/** What a change was about, as it was called then; the id is 0 where a change is about all of a kind. */
export interface AuditTarget {
  readonly kind: AuditKind;
  readonly id: number | string;
  readonly name: string;
}

/** A value, or what it was and what it is; empty where only that it changed is told. */
export type AuditDetail = string | readonly [from: string, to: string];
/** Details by what they are called in the records of the thing. */
export type AuditDetails = Readonly<Record<string, AuditDetail>>;

/** A change that somebody made, as it is kept for a year. */
export interface AuditRecord {
  /** Milliseconds since 1970 UTC. */
  readonly time: number;
  /** Null for the operator at the command line. */
  readonly acting_user_id: number | null;
  readonly action: AuditAction;
  readonly target: AuditTarget;
  readonly details: AuditDetails;
}

/** What names nobody: the operator at the command line. */
const OPERATOR = 0;

/** Where changes lie in the store, each once for every way in which they are listed; the oldest first. */
export const auditKeys = {
  all: (realmId: number): Key => [realmId, "audit"],
  by: (realmId: number, userId: number | null): Key => [realmId, "audit_by", userId ?? OPERATOR],
  of: (realmId: number, kind: AuditKind): Key => [realmId, "audit_of", kind],
  byOf: (realmId: number, userId: number | null, kind: AuditKind): Key => [
    realmId,
    "audit_by_of",
    userId ?? OPERATOR,
    kind,
  ],
};
