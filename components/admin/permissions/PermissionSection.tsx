import type { ComponentChildren } from "preact";
import type { ShownPermission } from "@/lib/admin/permissions/permission_values.ts";
import { QUIET_BUTTON } from "@/lib/ui/class_names.ts";
import { useAdmin } from "../admin_view.ts";
import { AdminForm } from "../AdminForm.tsx";
import { useFormState } from "../form_state.ts";
import { PeopleSearch } from "../people/PeopleSearch.tsx";
import { ImpactSection } from "./ImpactSection.tsx";
import { PermissionList } from "./PermissionPicker.tsx";

interface PermissionSectionProps {
  readonly permissions: readonly ShownPermission[];
  /** Content below the title. */
  readonly about?: ComponentChildren;
}

export function PermissionSection({ permissions, about }: PermissionSectionProps) {
  const { t } = useAdmin();
  const state = useFormState({ action: "permissions" });
  return (
    <section aria-labelledby="permissions-title" class="mb-10">
      <h2 id="permissions-title">{t("Permissions")}</h2>
      <div class="mt-1 mb-4 flex flex-wrap items-baseline gap-x-5">
        <p class="text-small text-soft">{t("Each role includes the roles above it.")}</p>
        {about}
      </div>
      <AdminForm
        state={state}
        button={t("Save permissions")}
        look={QUIET_BUTTON}
        beside={<ImpactSection action="permissions" />}
      >
        <PermissionList state={state} permissions={permissions} />
      </AdminForm>
      <PeopleSearch />
    </section>
  );
}
