import { z } from "zod";
import {
  bool,
  described,
  int,
  intList,
  json,
  optional,
  text,
  trimmed,
  withDefault,
} from "../params/param.ts";

/** Changes of values that one request can make. */
const MAX_AT_ONCE = 1000;

const texts = z.record(z.string(), z.string());
// Twice, so that whatever is no text is told that it is no object, and an object what is wrong inside.
const fieldData = z.record(z.string(), z.union([texts, z.string(), texts]));

/** What a field is made with, as a request has it: choices by their keys, or the kind of external account. */
export type FieldData = Readonly<Record<string, string | Readonly<Record<string, string>>>>;

const DATA_HINT =
  "For type 3 an object from the key of each choice to its `text` and `order`, both texts; for type 7 an object of " +
  "`subtype` (`github`, `twitter` or `custom`) and, for `custom`, `url_pattern` with `%(username)s` in it.";
const flags = {
  display_in_profile_summary:
    "Whether the field is shown in the summary of a profile; two can be, of any type but 6.",
  required: "Whether people are asked to fill the field in.",
  editable_by_user: "Whether people who are no administrators can change their own value.",
  use_for_user_matching: "Whether people are found by their value; only for types 1 and 7.",
} as const;

/** What a new field takes. */
export const createFieldParams = {
  name: described(withDefault(trimmed(), ""), "The field's label: 40 characters at most, no other field's."),
  hint: described(withDefault(text(), ""), "Help for those who fill the field in: 80 characters at most."),
  field_type: described(
    int(),
    "1 short text, 2 long text, 3 choice, 4 date, 5 link, 6 people, 7 external account, 8 pronouns.",
  ),
  field_data: described(withDefault(json(fieldData), {}), DATA_HINT),
  display_in_profile_summary: described(withDefault(bool(), false), flags.display_in_profile_summary),
  required: described(withDefault(bool(), false), flags.required),
  editable_by_user: described(withDefault(bool(), true), flags.editable_by_user),
  use_for_user_matching: described(withDefault(bool(), false), flags.use_for_user_matching),
};

/** What a change of a field takes; its type stays what it is. */
export const updateFieldParams = {
  name: described(optional(trimmed()), "The field's label: 40 characters at most, no other field's."),
  hint: described(optional(text()), "Help for those who fill the field in: 80 characters at most."),
  field_data: described(
    optional(json(fieldData)),
    `${DATA_HINT} Values of choices that are left out are removed.`,
  ),
  display_in_profile_summary: described(optional(bool()), flags.display_in_profile_summary),
  required: described(optional(bool()), flags.required),
  editable_by_user: described(optional(bool()), flags.editable_by_user),
  use_for_user_matching: described(optional(bool()), flags.use_for_user_matching),
};

/** What a new order of fields takes. */
export const reorderFieldsParams = {
  order: described(intList(), "The ids of all fields in their new order."),
};

const ids = z.array(z.int()).max(MAX_AT_ONCE);
/** Whatever it is, the field tells whether it is a value of it. */
const value = z.union([
  z.string(),
  z.number(),
  z.boolean(),
  z.null(),
  z.array(z.unknown()),
  z.record(z.string(), z.unknown()),
]);
const change = z.object({ id: z.int(), value });

/** One value as a request has it. */
export type SentValue = z.infer<typeof change>;

/** What a change of one's own values takes. */
export const updateValuesParams = {
  data: described(
    json(z.array(change).max(MAX_AT_ONCE)),
    "Objects of a field's `id` and its new `value`: a text, or a list of ids of people for type 6.",
  ),
};

/** What clearing one's own values takes. */
export const clearValuesParams = {
  data: described(json(ids), "The ids of the fields whose values are to go."),
};

/** Values as administrators set them for others. */
export const profileDataParam = described(
  optional(json(z.array(change).max(MAX_AT_ONCE))),
  "Objects of a profile field's `id` and its `value`; null, an empty text or list clears it. For administrators.",
);
