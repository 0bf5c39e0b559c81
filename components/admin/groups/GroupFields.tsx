import { useAdmin } from "../admin_view.ts";
import type { FormState } from "../form_state.ts";
import { NameFields } from "../NameFields.tsx";

interface GroupFieldsProps {
  readonly state: FormState;
  readonly stored?: { readonly name: string; readonly description: string };
  readonly limits: { readonly name: number; readonly description: number };
}

/** Renders the fields for a group's name and description. */
export function GroupFields(props: GroupFieldsProps) {
  const { nameHint: name, descriptionHint: description } = useAdmin().messages.groups;
  return <NameFields {...props} hints={{ name, description }} />;
}
