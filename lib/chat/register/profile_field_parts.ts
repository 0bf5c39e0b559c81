import { z } from "zod";
import { EXTERNAL_ACCOUNTS } from "../profile_fields/external_accounts.ts";
import { listFields } from "../profile_fields/list.ts";
import { FIELD_TYPE } from "../profile_fields/profile_field.ts";
import { profileFieldSchema } from "../profile_fields/schema.ts";
import { openPart } from "./part.ts";

/** The types by the names that clients know them by. */
const TYPES = {
  SHORT_TEXT: { id: FIELD_TYPE.shortText, name: "Text (short)" },
  LONG_TEXT: { id: FIELD_TYPE.longText, name: "Text (long)" },
  DATE: { id: FIELD_TYPE.date, name: "Date" },
  URL: { id: FIELD_TYPE.link, name: "Link" },
  EXTERNAL_ACCOUNT: { id: FIELD_TYPE.externalAccount, name: "External account" },
  PRONOUNS: { id: FIELD_TYPE.pronouns, name: "Pronouns" },
  SELECT: { id: FIELD_TYPE.choice, name: "List of options" },
  USER: { id: FIELD_TYPE.people, name: "Users" },
} as const;

const accountsSchema = z.record(
  z.string(),
  z.object({ text: z.string(), url_pattern: z.string(), name: z.string(), hint: z.string() }),
).meta({ description: "Accounts elsewhere that are known from the start, by their subtype." });

const fieldsSchema = z.object({
  custom_profile_fields: z.array(profileFieldSchema),
  custom_profile_field_types: z.record(z.string(), z.object({ id: z.int(), name: z.string() })),
  realm_default_external_accounts: accountsSchema,
});

/** The profile fields in their order, and what fields can be made of. */
export const profileFields = openPart("custom_profile_fields", fieldsSchema, async ({ app, realm }) => ({
  custom_profile_fields: await listFields(app, realm.id),
  custom_profile_field_types: TYPES,
  realm_default_external_accounts: EXTERNAL_ACCOUNTS,
}));

/** The known accounts, for who wants nothing but the organization. */
export const externalAccounts = openPart(
  "realm",
  z.object({ realm_default_external_accounts: accountsSchema }),
  () => ({ realm_default_external_accounts: EXTERNAL_ACCOUNTS }),
);
