import type { Tx } from "@/lib/store/transact.ts";
import { sendEvent } from "../events/send_events.ts";
import { type DeviceChange, type DeviceRecord, type DeviceView, toDeviceView } from "./model.ts";

/** Sends the owner an event about a new device. */
export function sendDeviceAddEvent(tx: Tx, { realmId, userId, id, now }: DeviceChange): void {
  const event = { type: "device", op: "add", device_id: id };
  sendEvent(tx, { realmId, now }, { event, audience: [userId] });
}

/** Sends the owner an event about a deleted device. */
export function sendDeviceRemoveEvent(tx: Tx, { realmId, userId, id, now }: DeviceChange): void {
  const event = { type: "device", op: "remove", device_id: id };
  sendEvent(tx, { realmId, now }, { event, audience: [userId] });
}

/** Sends the owner an event with the changed fields of a device; none if no visible field changed. */
export function sendDeviceUpdateEvent(
  tx: Tx,
  { realmId, userId, id, now }: DeviceChange,
  { before, after }: { before: DeviceRecord; after: DeviceRecord },
): void {
  const fields = diffDevices(before, after);
  if (Object.keys(fields).length === 0) return;
  const event = { type: "device", op: "update", device_id: id, ...fields };
  sendEvent(tx, { realmId, now }, { event, audience: [userId] });
}

function diffDevices(before: DeviceRecord, after: DeviceRecord): Partial<DeviceView> {
  const [old, current] = [toDeviceView(before), toDeviceView(after)];
  // A new key may have the id of the old one.
  const isKeyNew = before.push_key !== after.push_key;
  return {
    ...(isKeyNew || old.push_key_id !== current.push_key_id ? { push_key_id: current.push_key_id } : {}),
    ...(old.push_token_id === current.push_token_id ? {} : { push_token_id: current.push_token_id }),
    ...(old.pending_push_token_id === current.pending_push_token_id
      ? {}
      : { pending_push_token_id: current.pending_push_token_id }),
    ...(old.push_token_last_updated_timestamp === current.push_token_last_updated_timestamp
      ? {}
      : { push_token_last_updated_timestamp: current.push_token_last_updated_timestamp }),
    ...(old.push_registration_error_code === current.push_registration_error_code
      ? {}
      : { push_registration_error_code: current.push_registration_error_code }),
  };
}
