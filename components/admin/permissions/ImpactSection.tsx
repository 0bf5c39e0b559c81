import ImpactPreview from "@/islands/admin/permissions/ImpactPreview.tsx";
import type { ShownImpact } from "@/lib/admin/permissions/impact_preview.ts";
import { QUIET_BUTTON } from "@/lib/ui/class_names.ts";
import { useAdmin } from "../admin_view.ts";
import { EDIT_FIELD, useRefusedForm } from "../form_state.ts";

interface ImpactSectionProps {
  /** Action of the form around it. */
  readonly action: string;
  /** Fields that distinguish forms with the same action. */
  readonly match?: Readonly<Record<string, string>>;
}

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
