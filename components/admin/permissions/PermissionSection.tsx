import type { ComponentChildren } from "preact";
import type { RefusedForm } from "@/lib/admin/admin_page.ts";
import type { ShownPermission } from "@/lib/admin/permissions/permission_values.ts";
import { useAdmin } from "../admin_view.ts";
import { AdminForm } from "../AdminForm.tsx";
import { PeopleSearch } from "../people/PeopleSearch.tsx";
import { formState } from "../form_state.ts";
import { PermissionList } from "./PermissionPicker.tsx";

interface PermissionSectionProps {
  readonly permissions: readonly ShownPermission[];
  readonly refused: RefusedForm | null;
  /** Content beside the button. */
  readonly beside?: ComponentChildren;
}

/** Renders the section with the permissions of the page's subject. */
export function PermissionSection({ permissions, refused, beside }: PermissionSectionProps) {
  const { messages } = useAdmin();
  const state = formState(refused, "permissions");
  return (
    <section aria-labelledby="permissions-title" class="mb-10">
      <h2 id="permissions-title">{messages.permissions.title}</h2>
      <p class="mt-1 mb-4 text-small text-soft">{messages.permissions.lede}</p>
      <AdminForm state={state} button={messages.permissions.save} beside={beside}>
        <PermissionList state={state} permissions={permissions} />
      </AdminForm>
      <PeopleSearch />
    </section>
  );
}
