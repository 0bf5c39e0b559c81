import { ActionButton } from "@/components/admin/ActionButton.tsx";
import { useAdmin } from "@/components/admin/admin_view.ts";
import { OrganizationIcon } from "@/components/OrganizationIcon.tsx";
import { picture } from "@/lib/admin/declare/fields.tsx";
import { Form, form } from "@/lib/admin/declare/form.tsx";
import type { RealmRecord } from "@/lib/chat/organization/organizations/model.ts";
import { removeIcon, updateIcon } from "@/lib/chat/organization/organizations/update_realm.ts";
import { QUIET_BUTTON } from "@/lib/ui/class_names.ts";

const TO = "/admin/organization#icon";

export const changeIcon = form({
  action: "icon",
  button: "Change icon",
  fields: {
    icon: picture({ label: "New icon", hint: "PNG, GIF, JPEG or WebP. Square, up to {count} MiB." }),
  },
  refusedAt: "icon",
  run: async ({ chat, caller, t }, { icon }) => {
    await updateIcon(chat, caller, [icon]);
    return { flash: t("Icon changed."), to: TO };
  },
});

export const removeCurrentIcon = form({
  action: "remove_icon",
  run: async ({ chat, caller, t }) => {
    await removeIcon(chat, caller);
    return { flash: t("Icon removed."), to: TO };
  },
});

/** Renders the organization's icon, and the forms that change and remove it. */
export function Icon({ icon, name }: Pick<RealmRecord, "icon" | "name">) {
  const { t } = useAdmin();
  return (
    <>
      {typeof icon === "string" && (
        <div class="flex items-center gap-4">
          <OrganizationIcon icon={icon} alt={t("Icon of {name}", { name })} size={48} />
          <ActionButton action={removeCurrentIcon.action} to={TO}>{t("Remove icon")}</ActionButton>
        </div>
      )}
      <Form of={changeIcon} look={QUIET_BUTTON} />
    </>
  );
}
