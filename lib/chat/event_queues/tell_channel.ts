import type { ChatEvent } from "../events/emit.ts";
import { can, type Receiver } from "./receiver.ts";

/**
 * A channel that is new, gone or changed. To clients that know of no archived channels one that is archived is gone, and
 * one that comes back is new; to all others it is always there.
 */
export function tellChannel(receiver: Receiver, event: ChatEvent): ChatEvent[] {
  const { op, property, value, stream_id, streams, is_return, ...shown } = event;
  const knowsArchived = can(receiver, "archived_channels");
  if (op === "create" && is_return === true) return knowsArchived ? [] : [{ ...shown, op, streams }];
  if (knowsArchived) return [event];
  if (op === "create" && Array.isArray(streams)) {
    const used = streams.filter(({ is_archived }) => is_archived !== true);
    return used.length === 0 ? [] : [{ ...shown, op, streams: used }];
  }
  if (op !== "update" || property !== "is_archived") return [event];
  if (value !== true) return [];
  return [{ type: event.type, op: "delete", streams: [{ stream_id }], stream_ids: [stream_id] }];
}
