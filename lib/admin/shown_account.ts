import { canSeeEmail } from "@/lib/chat/users/email.ts";
import type { Role, UserRecord } from "@/lib/chat/users/user.ts";

/** An account as lists and its own page show it. */
export interface ShownAccount {
  readonly id: number;
  readonly name: string;
  /** Null where it is hidden from the viewer. */
  readonly address: string | null;
  readonly role: Role;
  readonly isActive: boolean;
  readonly isSelf: boolean;
  /** Milliseconds since 1970 UTC. */
  readonly joined: number;
}

/** An account as the viewer is shown it. */
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
