import type { ShownPermission } from "@/lib/admin/permissions/permission_values.ts";
import { QUIET_BUTTON } from "@/lib/ui/class_names.ts";
import { Link } from "../../Link.tsx";
import { useAdmin } from "../admin_view.ts";
import { AdminForm } from "../AdminForm.tsx";
import { useFormState } from "../form_state.ts";
import { PeopleSearch } from "../people/PeopleSearch.tsx";
import { ImpactSection } from "./ImpactSection.tsx";
import { PermissionList } from "./PermissionPicker.tsx";

interface PermissionSectionProps {
  readonly permissions: readonly ShownPermission[];
  /** Names of pages about them by path; those that the user may open are linked. */
  readonly pages: Readonly<Record<string, string>>;
}

export function PermissionSection({ permissions, pages }: PermissionSectionProps) {
  const { t, opens } = useAdmin();
  const state = useFormState({ action: "permissions" });
  return (
    <section aria-labelledby="permissions-title" class="mb-10">
      <h2 id="permissions-title">{t("Permissions")}</h2>
      <div class="mt-1 mb-4 flex flex-wrap items-baseline gap-x-5">
        <p class="text-small text-soft">{t("Each role includes the roles above it.")}</p>
        {Object.entries(pages).filter(([path]) => opens(path.replace(/\?.*/s, ""))).map(([path, name]) => (
          <Link key={path} class="link inline-flex min-h-11 items-center text-small" href={path}>{name}</Link>
        ))}
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
