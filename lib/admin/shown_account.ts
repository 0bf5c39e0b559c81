import { canSeeEmail, type Role, type UserRecord } from "@/lib/chat/organization/users/model.ts";

/** An account as lists and its page show it. */
export interface ShownAccount {
  readonly id: number;
  readonly name: string;
  /** Null when hidden from the viewer. */
  readonly address: string | null;
  readonly role: Role;
  readonly isActive: boolean;
  readonly isSelf: boolean;
  /** Milliseconds since 1970 UTC. */
  readonly joined: number;
}

/** Converts an account for the viewer. */
export function toShownAccount(user: UserRecord, viewer: UserRecord): ShownAccount {
  return {
    id: user.id,
    name: user.full_name,
    address: canSeeEmail(viewer, user) ? user.delivery_email : null,
    role: user.role,
    isActive: user.is_active,
    isSelf: user.id === viewer.id,
    joined: user.date_joined,
  };
}

/** Returns the path of an account's avatar. */
export function toAvatarPath({ id, avatar, avatar_version }: UserRecord): string {
  return `${avatar ?? `/avatar/${id}`}?version=${avatar_version}`;
}
