import type { ComponentChildren } from "preact";
import type { ShownPermission } from "@/lib/admin/permissions/permission_values.ts";
import { AdminForm } from "../AdminForm.tsx";
import { AdminHeading, type Crumb } from "../AdminHeading.tsx";
import { CancelLink } from "../CancelLink.tsx";
import { PeopleSearch } from "../people/PeopleSearch.tsx";
import type { FormState } from "../form_state.ts";
import { PermissionDetails } from "./PermissionPicker.tsx";

interface CreatePageProps {
  /** Page of the list that the new item is added to. */
  readonly list: Crumb;
  readonly text: {
    readonly newTitle: string;
    readonly newLede: string;
    readonly create: string;
    readonly permissionsHint: string;
  };
  readonly state: FormState;
  readonly permissions: readonly ShownPermission[];
  /** Fields other than permissions. */
  readonly children: ComponentChildren;
}

/** Renders the page that creates an item with its own permissions. */
export function CreatePage({ list, text, state, permissions, children }: CreatePageProps) {
  return (
    <>
      <AdminHeading title={text.newTitle} lede={text.newLede} above={[list]} />
      <AdminForm state={state} button={text.create} beside={<CancelLink to={list.path} />}>
        <div class="mb-3 grid gap-6">
          {children}
          <PermissionDetails state={state} permissions={permissions} hint={text.permissionsHint} />
        </div>
      </AdminForm>
      <PeopleSearch />
    </>
  );
}
