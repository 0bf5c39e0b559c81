import type { ComponentChildren } from "preact";
import type { ShownPermission } from "@/lib/admin/permission_values.ts";
import { AdminForm } from "../AdminForm.tsx";
import { AdminHeading, type Crumb } from "../AdminHeading.tsx";
import { CancelLink } from "../CancelLink.tsx";
import type { FormState } from "../form_state.ts";
import { PermissionDetails } from "./PermissionPicker.tsx";

interface NewThingPageProps {
  /** The list that the thing will stand in. */
  readonly list: Crumb;
  readonly text: {
    readonly newTitle: string;
    readonly newLede: string;
    readonly create: string;
    readonly permissionsHint: string;
  };
  readonly state: FormState;
  readonly permissions: readonly ShownPermission[];
  /** The fields, permissions aside. */
  readonly children: ComponentChildren;
}

/** Makes a thing with permissions of its own. */
export function NewThingPage({ list, text, state, permissions, children }: NewThingPageProps) {
  return (
    <>
      <AdminHeading title={text.newTitle} lede={text.newLede} above={[list]} />
      <AdminForm state={state} button={text.create} beside={<CancelLink to={list.path} />}>
        <div class="mb-3 grid gap-6">
          {children}
          <PermissionDetails state={state} permissions={permissions} hint={text.permissionsHint} />
        </div>
      </AdminForm>
    </>
  );
}
