import type { DeviceRecord, PushErrorCode } from "./device.ts";

/** A device as its account sees it. */
export interface DeviceView {
  readonly push_key_id: number | null;
  readonly push_token_id: string | null;
  readonly pending_push_token_id: string | null;
  /** Seconds since 1970 UTC. */
  readonly push_token_last_updated_timestamp: number | null;
  readonly push_registration_error_code: PushErrorCode | null;
}

/** A device as its account sees it: keys and tokens by their ids alone. */
export function toDeviceView(device: DeviceRecord): DeviceView {
  const { token_updated_at } = device;
  return {
    push_key_id: device.push_key_id,
    push_token_id: device.push_token_id,
    pending_push_token_id: device.pending?.token_id ?? null,
    push_token_last_updated_timestamp: token_updated_at === null ? null : Math.floor(token_updated_at / 1000),
    push_registration_error_code: device.error_code,
  };
}
