import ImpactPreview from "@/islands/admin/permissions/ImpactPreview.tsx";
import type { ShownImpact } from "@/lib/admin/permissions/impact_preview.ts";
import { QUIET_BUTTON } from "@/lib/ui/class_names.ts";
import { useAdmin } from "../admin_view.ts";
import { type FormState, formState, useRefusedForm } from "../form_state.ts";

/** Name of the field with the action that a form performs when it is not previewed. */
const EDIT_FIELD = "edit";

/** Returns the state of one of the page's forms, also when its effect is previewed. */
export function useEditedForm(action: string, match?: Readonly<Record<string, string>>): FormState {
  const refused = useRefusedForm();
  const edited = refused?.action === "preview"
    ? { ...refused, action: refused.typed[EDIT_FIELD]?.at(-1) ?? "" }
    : refused;
  return formState(edited, action, match);
}

interface ImpactSectionProps {
  /** Action of the form around it. */
  readonly action: string;
  /** Fields that distinguish forms with the same action. */
  readonly match?: Readonly<Record<string, string>>;
}

/** Renders the button that previews whom the form's change affects, and the preview. */
export function ImpactSection({ action, match = {} }: ImpactSectionProps) {
  const refused = useRefusedForm();
  const { t, messages } = useAdmin();
  const { title, pending, download } = messages.permissions.impact;
  const isMine = refused?.action === "preview" && refused.typed[EDIT_FIELD]?.at(-1) === action &&
    Object.entries(match).every(([name, value]) => refused.typed[name]?.at(-1) === value);
  const impact = isMine ? refused.result?.["impact"] : undefined;
  // After the button that saves, which is the one that the Enter key presses.
  return (
    <>
      <button type="submit" name="action" value="preview" class={QUIET_BUTTON}>
        {t("Preview the effect")}
      </button>
      <div class="basis-full">
        <input type="hidden" name={EDIT_FIELD} value={action} />
        <ImpactPreview
          impact={isImpact(impact) ? impact : null}
          messages={{ title, pending, download }}
          failed={messages.common.failed}
        />
      </div>
    </>
  );
}

function isImpact(value: unknown): value is ShownImpact {
  return typeof value === "object" && value !== null && "parts" in value && "notes" in value;
}
