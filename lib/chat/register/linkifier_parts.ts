import { z } from "zod";
import { listLinkifiers } from "../linkifiers/read_linkifiers.ts";
import { realmLinkifiersSchema } from "../linkifiers/schema.ts";
import { openPart } from "./part.ts";

/** The organization's linkifiers in order; none for clients that do not know URL templates. */
export const linkifiers = openPart(
  "realm_linkifiers",
  realmLinkifiersSchema,
  async ({ app, realm, capabilities }) => ({
    realm_linkifiers: capabilities.includes("linkifier_url_template")
      ? await listLinkifiers(app, realm.id)
      : [],
  }),
);

/** An older list of them, whose form has no room for URL templates. */
export const oldLinkifiers = openPart(
  "realm_filters",
  z.object({ realm_filters: z.array(z.unknown()).meta({ deprecated: true, description: "Empty." }) }),
  () => ({ realm_filters: [] }),
);
