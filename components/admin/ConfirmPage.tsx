import type { ComponentChildren } from "preact";
import { DANGER_BUTTON, PRIMARY_BUTTON } from "@/lib/ui/class_names.ts";
import type { RefusedForm } from "@/lib/admin/admin_page.ts";
import { AdminForm } from "./AdminForm.tsx";
import { AdminHeading, type Crumb } from "./AdminHeading.tsx";
import { CancelLink } from "./CancelLink.tsx";
import { formState } from "./form_state.ts";

interface ConfirmPageProps {
  /** Question that names what the action affects. */
  readonly title: string;
  readonly above: readonly Crumb[];
  /** Action of the form. */
  readonly action: string;
  /** Button label, which names the effect. */
  readonly button: string;
  readonly refused: RefusedForm | null;
  readonly hidden?: Readonly<Record<string, string>>;
  /** Whether the action destroys or ends nothing. */
  readonly isHarmless?: boolean;
  /** Fields of the form. */
  readonly fields?: ComponentChildren;
  /** Consequences of the action. */
  readonly children: ComponentChildren;
}

/** Renders the confirmation page of a destructive action; a script shows its content in a dialog. */
export function ConfirmPage(
  { title, above, action, button, refused, hidden = {}, isHarmless = false, fields, children }:
    ConfirmPageProps,
) {
  const back = above.at(-1)?.path ?? "/admin";
  return (
    <>
      <AdminHeading title={title} above={above} />
      <div class="max-w-[58ch]" data-confirm="">
        <div class="mb-6 grid gap-2">{children}</div>
        <AdminForm
          state={formState(refused, action)}
          button={button}
          look={isHarmless ? PRIMARY_BUTTON : DANGER_BUTTON}
          hidden={hidden}
          beside={<CancelLink to={back} />}
        >
          {fields}
        </AdminForm>
      </div>
    </>
  );
}
