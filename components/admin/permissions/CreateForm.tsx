import type { ComponentChildren } from "preact";
import type { ShownPermission } from "@/lib/admin/permissions/permission_values.ts";
import { AdminForm } from "../AdminForm.tsx";
import { CancelLink } from "../CancelLink.tsx";
import { PeopleSearch } from "../people/PeopleSearch.tsx";
import type { FormState } from "../form_state.ts";
import { PermissionDetails } from "./PermissionPicker.tsx";

interface CreateFormProps {
  readonly state: FormState;
  readonly button: string;
  /** Path of the list that the new item is added to. */
  readonly back: string;
  readonly permissions: readonly ShownPermission[];
  readonly permissionsHint: string;
  /** Fields other than permissions. */
  readonly children: ComponentChildren;
}

export function CreateForm({ state, button, back, permissions, permissionsHint, children }: CreateFormProps) {
  return (
    <>
      <AdminForm state={state} button={button} beside={<CancelLink to={back} />}>
        <div class="mb-3 grid gap-6">
          {children}
          <PermissionDetails state={state} permissions={permissions} hint={permissionsHint} />
        </div>
      </AdminForm>
      <PeopleSearch />
    </>
  );
}
