import type { Tx } from "@/lib/kv/transact.ts";
import { type Audience, type ChatEvent, sendEvent } from "../events/emit.ts";
import type { RealmRecord } from "../realm/realm.ts";
import { EMAIL_VISIBILITY, isAdmin, isBot, isGuest, ROLE, type UserRecord } from "./user.ts";

/** Whom an event is about, and when it happens in milliseconds since 1970 UTC. */
export interface AboutUser {
  readonly realm: RealmRecord;
  readonly user: UserRecord;
  readonly now: number;
}

/** How far role:everyone stands behind the first system group; accounts may not know of groups. */
export const EVERYONE_OFFSET = 6;

/** Tells all who may know of an account about it: guests not, where they may not know of everybody. */
export function sendUserEvent(tx: Tx, { realm, user, now }: AboutUser, event: ChatEvent): void {
  for (const audience of audiencesOf(realm, user)) {
    sendEvent(tx, { realmId: realm.id, now }, { event, audience });
  }
}

function audiencesOf(realm: RealmRecord, user: UserRecord): Audience[] {
  const group = realm.permissions["can_access_all_users_group"];
  const isOpen = group === undefined || group === realm.first_system_group_id + EVERYONE_OFFSET;
  if (isOpen || isBot(user)) return ["everyone"];
  return isGuest(user) ? ["members", [user.id]] : ["members"];
}

/** Tells the real address of an account to those who may see it; where everybody may, everybody knows it already. */
export function sendHiddenEmailEvent(tx: Tx, { realm, user, now }: AboutUser): void {
  const event = {
    type: "realm_user",
    op: "update",
    person: { user_id: user.id, delivery_email: user.delivery_email },
  };
  for (const audience of emailAudiences(user)) sendEvent(tx, { realmId: realm.id, now }, { event, audience });
}

function emailAudiences(user: UserRecord): Audience[] {
  const self = [user.id];
  switch (isBot(user) ? EMAIL_VISIBILITY.everyone : user.email_visibility) {
    case EMAIL_VISIBILITY.everyone:
      return [];
    case EMAIL_VISIBILITY.members:
      return isGuest(user) ? ["members", self] : ["members"];
    case EMAIL_VISIBILITY.moderators:
      return user.role <= ROLE.moderator ? ["moderators"] : ["moderators", self];
    case EMAIL_VISIBILITY.admins:
      return isAdmin(user) ? ["admins"] : ["admins", self];
    case EMAIL_VISIBILITY.nobody:
      return [self];
  }
}
