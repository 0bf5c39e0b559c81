import type { ProfileFieldRecord } from "./profile_field.ts";

/** A field as the API shows it: the last two switches are there only where they are on. */
export function toProfileField(field: ProfileFieldRecord) {
  const { id, name, type, hint, field_data, order, required, editable_by_user } = field;
  return {
    id,
    name,
    type,
    hint,
    field_data,
    order,
    required,
    editable_by_user,
    ...(field.display_in_profile_summary ? { display_in_profile_summary: true } : {}),
    ...(field.use_for_user_matching ? { use_for_user_matching: true } : {}),
  };
}
