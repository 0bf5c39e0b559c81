import type { Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import { sendEvent } from "../events/send_events.ts";
import { toAttachment, uploadKeys, type UploadRecord } from "./model.ts";
import { listReferences, type ReferenceChange } from "./store.ts";

/** Maximum number of message ids in one event. */
const MAX_MESSAGES = 100;
/** Maximum number of events for one message; a message links no more uploads than this. */
const MAX_EVENTS = 50;

/** An event about one upload, for its owner. */
interface AttachmentEvent {
  readonly realmId: number;
  readonly upload: UploadRecord;
  /** Space that the organization uses after the change, in bytes. */
  readonly used: number;
  /** Milliseconds since 1970 UTC. */
  readonly now: number;
}

/** Sends the owner of a new upload an event. */
export function sendAttachmentAddEvent(tx: Tx, { realmId, upload, used, now }: AttachmentEvent): void {
  const attachment = toAttachment(upload, []);
  const event = { type: "attachment", op: "add", attachment, upload_space_used: used };
  sendEvent(tx, { realmId, now }, { event, audience: [upload.owner_id] });
}

/** Sends the owner of a removed upload an event. */
export function sendAttachmentRemoveEvent(tx: Tx, { realmId, upload, used, now }: AttachmentEvent): void {
  const event = { type: "attachment", op: "remove", attachment: { id: upload.id }, upload_space_used: used };
  sendEvent(tx, { realmId, now }, { event, audience: [upload.owner_id] });
}

/**
 * Sends the owners of uploads that a message starts or stops linking the new lists of messages. When two
 * messages link one file at the same time, each event may omit the other message.
 */
export async function sendAttachmentUpdateEvents(
  { store }: Pick<ChatApp, "store">,
  tx: Tx,
  { realmId, messageId, before, after, now }: ReferenceChange,
): Promise<void> {
  const changed = [...new Set(before).symmetricDifference(new Set(after))].slice(0, MAX_EVENTS);
  if (changed.length === 0) return;
  const used = await tx.peek<number>(uploadKeys.spaceUsed(realmId)) ?? 0;
  for (const id of changed) {
    const upload = await tx.peek<UploadRecord>(uploadKeys.upload(realmId, id));
    if (upload === null) continue;
    const others = (await listReferences({ store }, realmId, { id, limit: MAX_MESSAGES }))
      .filter((other) => other !== messageId);
    // Ids are ascending, and an edited message may be older than the others.
    const ids = after.includes(id) ? [...others, messageId].sort((one, two) => one - two) : others;
    const attachment = toAttachment(upload, ids.slice(0, MAX_MESSAGES));
    const event = { type: "attachment", op: "update", attachment, upload_space_used: used };
    sendEvent(tx, { realmId, now }, { event, audience: [upload.owner_id] });
  }
}
