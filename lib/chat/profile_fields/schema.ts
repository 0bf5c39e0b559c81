import { z } from "zod";

const onlyTrue = z.literal(true).optional().meta({ description: "Only there when it is so." });

/** A field as the API shows it. */
export const profileFieldSchema = z.object({
  id: z.int(),
  name: z.string(),
  type: z.int().meta({
    description:
      "1 short text, 2 long text, 3 choice, 4 date, 5 link, 6 people, 7 external account, 8 pronouns.",
  }),
  hint: z.string(),
  field_data: z.string().meta({ description: "JSON for types 3 and 7; else empty." }),
  order: z.int().meta({ description: "Fields are shown in ascending order of this." }),
  required: z.boolean(),
  editable_by_user: z.boolean(),
  display_in_profile_summary: onlyTrue,
  use_for_user_matching: onlyTrue,
}).meta({ id: "ProfileField" });

/** Every field. */
export const profileFieldsSchema = z.object({ custom_fields: z.array(profileFieldSchema) });

/** A field that was just made. */
export const madeFieldSchema = z.object({ id: z.int() });

/** The values of one person by the field's id. */
export const profileDataSchema = z.record(
  z.string(),
  z.object({
    value: z.string().meta({ description: "For type 6 a JSON list of ids." }),
    rendered_value: z.string().optional().meta({ description: "HTML; only for types 1 and 2." }),
  }),
);
