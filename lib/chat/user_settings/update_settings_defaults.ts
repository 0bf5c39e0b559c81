import { transact } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import { diffDetails } from "../audit/model.ts";
import { recordAudit } from "../audit/store.ts";
import { sendEvents } from "../events/send_events.ts";
import type { Caller } from "../users/model.ts";
import { getActingAdmin } from "../users/store.ts";
import {
  applySettings,
  getSetting,
  requireValidSettings,
  type SettingsInput,
  settingsKeys,
  type SettingsRecord,
} from "./model/settings.ts";

/**
 * Changes the settings with which new accounts of the organization start; existing accounts keep theirs.
 * @throws AppError UNAUTHORIZED_PRINCIPAL, or BAD_REQUEST for the first invalid value.
 */
export async function updateSettingsDefaults(
  app: ChatApp,
  caller: Caller,
  input: SettingsInput,
): Promise<void> {
  requireValidSettings(input);
  const { id: realmId } = caller.realm;
  await transact(app.store, async (tx) => {
    const actor = await getActingAdmin(tx, caller);
    const key = settingsKeys.defaults(realmId);
    const before = { values: await tx.get<SettingsRecord["values"]>(key) ?? {}, edited: [] };
    const { record, changed } = applySettings(before, input, { isOwn: false, skipsEdited: false });
    if (changed.length === 0) return;
    tx.set(key, record.values);
    const at = { realmId, now: app.clock.now() };
    const effective = (values: SettingsRecord["values"]) =>
      Object.fromEntries(changed.map(({ name }) => [name, values[name] ?? getSetting(name).defaultValue]));
    recordAudit(tx, at, {
      acting_user_id: actor.id,
      action: "realm_changed",
      target: { kind: "realm", id: realmId, name: caller.realm.name },
      details: diffDetails(
        effective(before.values),
        effective(record.values),
        changed.map(({ name }) => name),
      ),
    });
    const events = changed.map(({ name: property, value }) => ({
      event: { type: "realm_user_settings_defaults", op: "update", property, value },
      audience: "everyone" as const,
    }));
    sendEvents(tx, at, events);
  });
}
