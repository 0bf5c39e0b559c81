import FormPreview from "@/islands/admin/FormPreview.tsx";
import { WORD_BUTTON } from "@/lib/ui/class_names.ts";
import { useAdmin } from "../admin_view.ts";
import { EDIT_FIELD, useDraft, useRefusedForm } from "../form_state.ts";

/** Returns the id of the element with the effect of a form; `section` distinguishes forms with the same action. */
export function toImpactId(action: string, section = ""): string {
  return `impact-${action}-${section}`;
}

interface ImpactSectionProps {
  /** Action of the form around it. */
  readonly action: string;
  /** Field that distinguishes forms with the same action. */
  readonly section?: string;
}

/** Renders the button that previews the effect of a form, and the effect. */
export function ImpactSection({ action, section = "" }: ImpactSectionProps) {
  const { t } = useAdmin();
  const id = toImpactId(action, section);
  const draft = useDraft({ action: "preview" });
  const typed = useRefusedForm()?.typed;
  const isMine = toImpactId(typed?.[EDIT_FIELD]?.at(-1) ?? "", typed?.["section"]?.at(-1)) === id;
  // After the button that saves, which is the one that the Enter key presses.
  return (
    <>
      <button type="submit" name="action" value="preview" class={WORD_BUTTON}>
        {t("Preview the effect")}
      </button>
      <div class="basis-full">
        <input type="hidden" name={EDIT_FIELD} value={action} />
        {isMine && draft !== null ? draft : <div id={id} aria-live="polite" />}
        <FormPreview shownIn={id} pending={t("Calculating the effect…")} />
      </div>
    </>
  );
}
