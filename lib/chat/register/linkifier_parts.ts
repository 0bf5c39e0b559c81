import { listLinkifiers } from "../linkifiers/read_linkifiers.ts";
import { realmLinkifiersSchema } from "../linkifiers/schema.ts";
import { part } from "./part.ts";

/** The organization's linkifiers in order. */
export const linkifiers = part("realm_linkifiers", realmLinkifiersSchema, async ({ app, realm }) => ({
  realm_linkifiers: await listLinkifiers(app, realm.id),
}));
