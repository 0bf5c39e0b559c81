import type { ComponentChildren } from "preact";
import type { PageForm, Values } from "@/lib/admin/declare/form.tsx";
import type { ShownPermission } from "@/lib/admin/permissions/permission_values.ts";
import { useAdmin } from "../admin_view.ts";
import { AdminForm } from "../AdminForm.tsx";
import { CancelLink } from "../CancelLink.tsx";
import { useFormState } from "../form_state.ts";
import { PeopleSearch } from "../people/PeopleSearch.tsx";
import { PermissionDetails } from "./PermissionPicker.tsx";

interface CreateFormProps {
  readonly of: Pick<PageForm<Values>, "action" | "button">;
  /** Path of the list that the new item is added to. */
  readonly back: string;
  readonly permissions: readonly ShownPermission[];
  readonly permissionsHint: string;
  /** Fields other than permissions. */
  readonly children: ComponentChildren;
}

export function CreateForm({ of, back, permissions, permissionsHint, children }: CreateFormProps) {
  const { t } = useAdmin();
  const state = useFormState(of);
  return (
    <>
      <AdminForm state={state} button={t(of.button ?? "")} beside={<CancelLink to={back} />}>
        <div class="mb-3 grid gap-6">
          {children}
          <PermissionDetails state={state} permissions={permissions} hint={permissionsHint} />
        </div>
      </AdminForm>
      <PeopleSearch />
    </>
  );
}
