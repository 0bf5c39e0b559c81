import { z } from "zod";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import {
  bool,
  described,
  exact,
  int,
  intList,
  json,
  optional,
  type Param,
  record,
  text,
  trimmed,
  withDefault,
} from "@/lib/chat/organization/params/param.ts";
import { toProfileField } from "./model/profile_field.ts";
import { readFields } from "./store.ts";

/** Maximum number of values in one request. */
const MAX_VALUES_PER_REQUEST = 1000;

const texts = record(z.string());
// `texts` comes first and last: errors then name the problem inside an object, and say "not an object" for
// the others.
const fieldData = record(z.union([texts, z.string(), texts]));

const DATA_HINT =
  "For type 3 an object of choices by key, each with the strings `text` and `order`; for type 7 an object " +
  "with `subtype` (`github`, `twitter` or `custom`) and, for `custom`, a `url_pattern` that contains " +
  "`%(username)s`.";
const NAME_HINT = "The label, at most 40 characters and unique in the organization.";
const HINT_HINT = "The hint shown to users who fill in the field, at most 80 characters.";

/** Returns the parameters of a field's properties that are on or off. */
const flags = <T>(flag: (byDefault: boolean) => Param<T>) => ({
  display_in_profile_summary: described(
    flag(false),
    "Whether the field is shown in the profile summary; at most two fields, not of type 6.",
  ),
  required: described(flag(false), "Whether users are asked to fill in the field."),
  editable_by_user: described(
    flag(true),
    "Whether users other than administrators can change their own value.",
  ),
  use_for_user_matching: described(
    flag(false),
    "Whether users can be found by their value; only for types 1 and 7.",
  ),
});

export const createFieldParams = {
  name: described(withDefault(exact(trimmed()), ""), NAME_HINT),
  hint: described(withDefault(text(), ""), HINT_HINT),
  field_type: described(
    int(),
    "The type: 1 short text, 2 long text, 3 choice, 4 date, 5 link, 6 people, 7 external account, 8 " +
      "pronouns.",
  ),
  field_data: described(withDefault(json(fieldData), {}), DATA_HINT),
  ...flags((byDefault) => withDefault(bool(), byDefault)),
};

/** Parameters of updating a field, whose type cannot change. */
export const updateFieldParams = {
  name: described(optional(exact(trimmed())), NAME_HINT),
  hint: described(optional(text()), HINT_HINT),
  field_data: described(
    optional(json(fieldData)),
    `${DATA_HINT} Users' values of omitted choices are removed.`,
  ),
  ...flags(() => optional(bool())),
};

export const reorderFieldsParams = {
  order: described(intList(), "The ids of all fields in their new order."),
};

const ids = z.array(z.int()).max(MAX_VALUES_PER_REQUEST);
/** Any JSON value; the field decides whether it is valid. */
const value = z.union([
  z.string(),
  z.number(),
  z.boolean(),
  z.null(),
  z.array(z.unknown()),
  z.record(z.string(), z.unknown()),
]);
const change = z.object({ id: z.int(), value });

export const updateValuesParams = {
  data: described(
    json(z.array(change).max(MAX_VALUES_PER_REQUEST)),
    "Objects with the `id` of a field and the new `value`: a string, or a list of user ids for type 6.",
  ),
};

export const clearValuesParams = {
  data: described(json(ids), "The ids of the fields to clear."),
};

/** Parameter of the values that an administrator sets for another user. */
export const profileDataParam = described(
  optional(json(z.array(change).max(MAX_VALUES_PER_REQUEST))),
  "Objects with the `id` of a profile field and its `value`; null, an empty string or an empty list clears " +
    "it. Requires an administrator.",
);

/** Lists an organization's fields in order, as the API returns them. */
export async function listFields(app: ChatApp, realmId: number) {
  return (await readFields(app, realmId)).map(toProfileField);
}

const onlyTrue = z.literal(true).optional().meta({ description: "Only present when true." });

export const profileFieldSchema = z.object({
  id: z.int(),
  name: z.string(),
  type: z.int().meta({
    description:
      "1 short text, 2 long text, 3 choice, 4 date, 5 link, 6 people, 7 external account, 8 pronouns.",
  }),
  hint: z.string(),
  field_data: z.string().meta({ description: "JSON for types 3 and 7, otherwise empty." }),
  order: z.int().meta({ description: "The position; fields are shown in ascending order." }),
  required: z.boolean(),
  editable_by_user: z.boolean(),
  display_in_profile_summary: onlyTrue,
  use_for_user_matching: onlyTrue,
}).meta({ id: "ProfileField" });

export const profileFieldsSchema = z.object({ custom_fields: z.array(profileFieldSchema) });

export const createdFieldSchema = z.object({ id: z.int() });

export const profileDataSchema = z.record(
  z.string(),
  z.object({
    value: z.string().meta({ description: "A JSON list of user ids for type 6." }),
    rendered_value: z.string().optional().meta({ description: "HTML; only for types 1 and 2." }),
  }),
);
