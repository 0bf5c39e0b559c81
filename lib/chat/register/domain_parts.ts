import { z } from "zod";
import { realmDomainSchema } from "../organizations/schema.ts";
import { part } from "./part.ts";

/** The organization's own domains. */
export const realmDomains = part(
  "realm_domains",
  z.object({ realm_domains: z.array(realmDomainSchema) }),
  ({ realm }) => ({ realm_domains: realm.settings.domains }),
);
