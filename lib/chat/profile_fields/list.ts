import type { ChatApp } from "../app.ts";
import { readFields } from "./store.ts";
import { toProfileField } from "./view.ts";

/** The fields of an organization as the API shows them, in their order. */
export async function listFields(app: ChatApp, realmId: number) {
  return (await readFields(app, realmId)).map(toProfileField);
}
