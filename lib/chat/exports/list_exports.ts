import { mapInSlices } from "@/lib/core/map_in_slices.ts";
import type { ChatApp } from "../app.ts";
import type { RealmRecord } from "../organizations/model.ts";
import { isBot } from "../users/model.ts";
import { listUsers } from "../users/store.ts";
import { toExport } from "./api.ts";
import { listConsentingIds, readExports } from "./store.ts";

/** Lists the newest exports of an organization in API form, oldest first. */
export async function listExports(app: ChatApp, realm: RealmRecord) {
  const exports = await readExports(app, realm.id);
  return { exports: exports.map((each) => toExport({ app, realm }, each)) };
}

/**
 * Lists for each user, deactivated ones included, whether they allow the export of their private data, in API
 * form.
 */
export async function listExportConsents(app: ChatApp, realm: RealmRecord) {
  const [users, consenting] = await Promise.all([
    listUsers(app, realm.id),
    listConsentingIds(app, realm.id),
  ]);
  const people = users.filter((user) => !isBot(user));
  return {
    export_consents: await mapInSlices(people, ({ id }) => ({ user_id: id, consented: consenting.has(id) })),
  };
}
