import type { ComponentChildren } from "preact";
import type { RefusedForm } from "@/lib/admin/admin_page.ts";
import type { ShownPermission } from "@/lib/admin/permissions/permission_values.ts";
import { useAdmin } from "../admin_view.ts";
import { AdminForm } from "../AdminForm.tsx";
import { PeopleSearch } from "../people/PeopleSearch.tsx";
import { formState } from "../form_state.ts";
import { ImpactSection, toEditedForm } from "./ImpactSection.tsx";
import { PermissionList } from "./PermissionPicker.tsx";

interface PermissionSectionProps {
  readonly permissions: readonly ShownPermission[];
  readonly refused: RefusedForm | null;
  /** Content below the title. */
  readonly about?: ComponentChildren;
}

/** Renders the section with the permissions of the page's subject. */
export function PermissionSection({ permissions, refused, about }: PermissionSectionProps) {
  const { messages } = useAdmin();
  const state = formState(toEditedForm(refused), "permissions");
  return (
    <section aria-labelledby="permissions-title" class="mb-10">
      <h2 id="permissions-title">{messages.permissions.title}</h2>
      <div class="mt-1 mb-4 flex flex-wrap items-baseline gap-x-5">
        <p class="text-small text-soft">{messages.permissions.lede}</p>
        {about}
      </div>
      <AdminForm
        state={state}
        button={messages.permissions.save}
        beside={<ImpactSection action="permissions" refused={refused} />}
      >
        <PermissionList state={state} permissions={permissions} />
      </AdminForm>
      <PeopleSearch />
    </section>
  );
}
