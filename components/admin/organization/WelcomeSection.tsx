import type { ComponentChildren } from "preact";
import WelcomePreview from "@/islands/admin/organization/WelcomePreview.tsx";
import type { AdminPageData } from "@/lib/admin/admin_page.ts";
import type { OrganizationData } from "@/lib/admin/organization/organization_data.ts";
import { PRIMARY_BUTTON, QUIET_BUTTON } from "@/lib/ui/class_names.ts";
import { useAdmin } from "../admin_view.ts";
import { TextArea } from "../fields.tsx";
import { type FormState, formState } from "../form_state.ts";
import { FormProblem } from "../FormProblem.tsx";
import { CharacterCountHint } from "../CharacterCountHint.tsx";
import { SettingsSection } from "./SettingsSection.tsx";

const FIELD = "welcome_message_custom_text";

/** Renders the welcome message for new users with its preview. */
export function WelcomeSection({ data, refused }: AdminPageData<OrganizationData>) {
  const { messages } = useAdmin();
  const text = messages.organization;
  const isDraft = refused?.action === "preview";
  const state = formState(refused, isDraft ? "preview" : "welcome");
  // A preview keeps the revision of the form, so that a conflicting change is still detected on save.
  const seen = isDraft ? state.value("seen") : data.seen.welcome;
  const html = refused?.result?.["html"];
  return (
    <SettingsSection id="welcome" title={text.welcome} help={text.welcomeHelp}>
      <WelcomeForm state={state} seen={seen} stored={data.settings.welcome_message_custom_text}>
        <CharacterCountHint text={text.welcomeHint} fieldId={FIELD} limit={data.limits.welcome} />
      </WelcomeForm>
      <WelcomePreview
        fieldId={FIELD}
        html={typeof html === "string" ? html : null}
        title={text.previewTitle}
        empty={text.previewEmpty}
        failed={messages.common.failed}
      />
    </SettingsSection>
  );
}

interface WelcomeFormProps {
  readonly state: FormState;
  readonly seen: string;
  readonly stored: string;
  /** Content of the hint. */
  readonly children: ComponentChildren;
}

function WelcomeForm({ state, seen, stored, children }: WelcomeFormProps) {
  const { messages } = useAdmin();
  const text = messages.organization;
  const isRefused = Object.keys(state.problems).length > 0;
  return (
    <form
      method="post"
      action="#welcome"
      noValidate
      class="grid gap-4"
      data-guard={isRefused ? "changed" : ""}
    >
      <input type="hidden" name="seen" value={seen} />
      <FormProblem problem={state.problem("form")} />
      <TextArea
        state={state}
        name={FIELD}
        label={text.fields[FIELD].label}
        stored={stored}
        rows={6}
        hint={children}
      />
      <div class="flex flex-wrap items-center gap-3">
        <button type="submit" name="action" value="welcome" class={PRIMARY_BUTTON}>{text.welcomeSave}</button>
        <button type="submit" name="action" value="preview" class={QUIET_BUTTON} data-preview>
          {text.preview}
        </button>
      </div>
    </form>
  );
}
