import { realmParams } from "@/lib/chat/organizations/api.ts";
import { applyRealmUpdate, readRealmValues } from "@/lib/chat/organizations/update_realm.ts";
import { readPermissionContext } from "@/lib/chat/permissions/store.ts";
import { pickChanged, type Reversal, toParams } from "./reversal.ts";

/** Settings in seconds for which null means without limit, which a request names `unlimited`. */
const LIMITS = ["message_content_edit_limit_seconds", "message_content_delete_limit_seconds"];

/** Reverts changes of an organization's settings and permissions. */
export const realmReversal: Reversal = {
  async read(context) {
    const permissions = await readPermissionContext(context.app, context.tx, context.realm.id);
    return pickChanged(context, readRealmValues(permissions));
  },
  async apply({ app, tx, realm, actingUser }, earlier) {
    const sent = Object.fromEntries(
      Object.entries(earlier).map(([name, value]) => [
        name,
        LIMITS.includes(name) ? value ?? "unlimited" : value,
      ]),
    );
    await applyRealmUpdate({ app, tx, realmId: realm.id, actingUser }, toParams(realmParams, sent));
    return null;
  },
};
