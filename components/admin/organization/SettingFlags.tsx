import type { OrganizationData } from "@/lib/admin/organization/organization_data.ts";
import { useAdmin } from "../admin_view.ts";
import { CheckField } from "../fields.tsx";
import type { FormState } from "../form_state.ts";

interface SettingFlagsProps {
  readonly section: keyof OrganizationData["flags"];
  readonly data: OrganizationData;
  readonly state: FormState;
}

/** Renders a checkbox for each yes/no setting of a section. */
export function SettingFlags({ section, data, state }: SettingFlagsProps) {
  const { messages } = useAdmin();
  return data.flags[section].map((name) => (
    <CheckField
      key={name}
      state={state}
      name={name}
      {...messages.organization.fields[name]}
      stored={data.settings[name] === true}
    />
  ));
}
