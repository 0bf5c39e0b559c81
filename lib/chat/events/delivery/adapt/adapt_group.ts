import type { ChatEvent } from "@/lib/chat/events/model.ts";
import { canAccessAllUsers, canAccessUser } from "@/lib/chat/permissions/model/membership.ts";
import { toUserGroup } from "@/lib/chat/user_groups/api.ts";
import { readDirectory } from "@/lib/chat/users/store.ts";
import { hasCapability, type Receiver } from "../receiver.ts";

/**
 * Adapts an event of a group: leaves out members whom the receiver cannot access. A client that does not know
 * deactivated groups receives deactivation as removal and reactivation as addition.
 */
export async function adaptGroup(receiver: Receiver, event: ChatEvent): Promise<ChatEvent[]> {
  return await hideMembers(receiver, await adaptActivation(receiver, event));
}

async function adaptActivation(receiver: Receiver, stored: ChatEvent): Promise<ChatEvent[]> {
  const { is_deactivated, ...event } = stored;
  const { op, group_id, data } = event;
  const changesActivation = op === "update" && typeof data === "object" && data !== null &&
    "deactivated" in data;
  if (hasCapability(receiver, "include_deactivated_groups")) return [event];
  if (!changesActivation) {
    return is_deactivated === true || isOfDeactivatedGroup(receiver, event) ? [] : [event];
  }
  if (data.deactivated === true) return [{ type: event.type, op: "remove", group_id }];
  const { app, permissions } = receiver;
  const record = permissions.groups.get(Number(group_id));
  if (record === undefined) return [];
  const { byId } = await readDirectory(app, permissions.realm.id);
  const group = toUserGroup(permissions, record, (id) => byId.get(id)?.is_active === true);
  return [{ type: event.type, op: "add", group: { ...group, deactivated: false } }];
}

/** Whether an event is about a group that a client without deactivated groups does not know. */
function isOfDeactivatedGroup({ permissions }: Receiver, { op, group_id }: ChatEvent): boolean {
  return op !== "remove" && permissions.groups.get(Number(group_id))?.deactivated === true;
}

async function hideMembers({ app, permissions, user }: Receiver, events: ChatEvent[]): Promise<ChatEvent[]> {
  if (canAccessAllUsers(permissions, user)) return events;
  const { byId } = await readDirectory(app, permissions.realm.id);
  const isShown = (id: unknown) => {
    const member = typeof id === "number" ? byId.get(id) : undefined;
    return member !== undefined && canAccessUser(permissions, user, member);
  };
  return events.flatMap((event) => {
    const { user_ids, group } = event;
    if (Array.isArray(user_ids)) {
      const shown = user_ids.filter(isShown);
      return shown.length === 0 ? [] : [{ ...event, user_ids: shown }];
    }
    if (typeof group !== "object" || group === null || !("members" in group)) return [event];
    const members = Array.isArray(group.members) ? group.members.filter(isShown) : [];
    return [{ ...event, group: { ...group, members } }];
  });
}
