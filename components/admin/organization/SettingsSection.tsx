import type { ComponentChildren } from "preact";
import { useAdmin } from "../admin_view.ts";

interface SettingsSectionProps {
  readonly id: string;
  readonly title: string;
  /** One sentence on what is decided here. */
  readonly help: string;
  readonly children: ComponentChildren;
}

/** A part of a long page: what it is about at the start, what can be done beside it. */
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

interface OwnersOnlyProps {
  readonly isOwner: boolean;
  /** Names the group for those who hear it. */
  readonly title: string;
  /** The fields as they stand, for those who may not change them. */
  readonly fields: ComponentChildren;
  /** The form, for owners. */
  readonly children: ComponentChildren;
}

/** A form for owners; administrators see the same fields, at rest, and why. */
export function OwnersOnly({ isOwner, title, fields, children }: OwnersOnlyProps) {
  if (isOwner) return <>{children}</>;
  return (
    <fieldset
      disabled
      class="grid min-w-0 gap-4 [&_:is(input,select,textarea)]:opacity-60"
    >
      <legend class="sr-only">{title}</legend>
      <OwnersNote />
      {fields}
    </fieldset>
  );
}

/** Says that only owners may change what stands beside it. */
export function OwnersNote() {
  const { words } = useAdmin();
  return <p class="text-small font-medium text-soft">{words.organization.ownersOnly}</p>;
}
