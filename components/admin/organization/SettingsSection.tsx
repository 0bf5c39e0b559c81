import type { ComponentChildren } from "preact";
import { useAdmin } from "../admin_view.ts";

interface SettingsSectionProps {
  readonly id: string;
  readonly title: string;
  /** One sentence that explains the section. */
  readonly help: string;
  readonly children: ComponentChildren;
}

/** Renders a section of a long page: title and explanation, with the controls beside them. */
export function SettingsSection({ id, title, help, children }: SettingsSectionProps) {
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      class="flex scroll-mt-4 flex-wrap gap-x-10 gap-y-5 border-t border-rule py-9"
    >
      <div class="flex-[1_1_12.5rem]">
        <h2 id={`${id}-title`}>{title}</h2>
        <p class="mt-1.5 max-w-[46ch] text-small text-soft">{help}</p>
      </div>
      <div class="grid min-w-0 flex-[999_1_30rem] content-start gap-6">{children}</div>
    </section>
  );
}

/** Explains that only owners may change these settings. */
export function OwnersOnlyHint() {
  const { t } = useAdmin();
  return <p class="text-small font-medium text-soft">{t("Only owners can change this.")}</p>;
}
