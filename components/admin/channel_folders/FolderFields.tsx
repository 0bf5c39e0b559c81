import { useAdmin } from "../admin_view.ts";
import type { FormState } from "../form_state.ts";
import { NameFields } from "../NameFields.tsx";

interface FolderFieldsProps {
  readonly state: FormState;
  readonly stored?: { readonly name: string; readonly description: string };
  readonly limits: { readonly name: number; readonly description: number };
}

/** Renders the fields for a folder's name and description. */
export function FolderFields(props: FolderFieldsProps) {
  const { nameHint: name, descriptionHint: description } = useAdmin().messages.folders;
  return <NameFields {...props} hints={{ name, description }} />;
}
