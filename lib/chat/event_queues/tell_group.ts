import type { ChatEvent } from "../events/emit.ts";
import { toUserGroup } from "../user_groups/view.ts";
import { readDirectory } from "../users/directory.ts";
import { can, type Receiver } from "./receiver.ts";

/** To clients that know of no deactivated groups, one is gone, and is new when it comes back; as it is when they are told. */
export async function tellGroup(receiver: Receiver, event: ChatEvent): Promise<ChatEvent[]> {
  const { op, group_id, data } = event;
  const isOfUse = op === "update" && typeof data === "object" && data !== null && "deactivated" in data;
  if (!isOfUse || can(receiver, "include_deactivated_groups")) return [event];
  if (data.deactivated === true) return [{ type: event.type, op: "remove", group_id }];
  const { app, permissions } = receiver;
  const group = permissions.groups.get(Number(group_id));
  if (group === undefined) return [];
  const { byId } = await readDirectory(app, permissions.realm.id);
  const shown = toUserGroup(permissions, group, (id) => byId.get(id)?.is_active === true);
  return [{ type: event.type, op: "add", group: { ...shown, deactivated: false } }];
}
