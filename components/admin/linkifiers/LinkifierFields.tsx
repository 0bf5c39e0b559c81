import type { LinkifierFormValues } from "@/lib/admin/linkifiers/linkifier_form.ts";
import { useAdmin } from "../admin_view.ts";
import { TextArea, TextInput } from "../fields.tsx";
import type { FormState } from "../form_state.ts";

interface LinkifierFieldsProps {
  readonly state: FormState;
  readonly values: LinkifierFormValues;
  /** Whether the form is for a new linkifier, whose first field takes the focus. */
  readonly isNew: boolean;
}

/** Renders a linkifier's fields. */
export function LinkifierFields({ state, values, isNew }: LinkifierFieldsProps) {
  const { linkifiers: text } = useAdmin().messages;
  const isRefused = Object.keys(state.problems).length > 0;
  const lines = [
    { name: "pattern", label: text.pattern, hint: text.patternHint },
    { name: "url_template", label: text.urlTemplate, hint: text.urlTemplateHint },
    { name: "example_input", label: text.exampleInput, hint: text.exampleHint },
    { name: "reverse_template", label: text.reverseTemplate, hint: text.reverseHint },
  ] as const;
  return (
    <div class="grid min-w-0 content-start gap-4 [font-variant-ligatures:none]">
      {lines.map(({ name, label, hint }) => (
        <TextInput
          key={name}
          state={state}
          name={name}
          label={label}
          hint={hint}
          stored={values[name]}
          takesFocus={state.problem(name) !== undefined || isNew && !isRefused && name === "pattern"}
          isMono
        />
      ))}
      <TextArea
        state={state}
        name="alternative_url_templates"
        label={text.alternatives}
        hint={text.alternativesHint}
        stored={values.alternative_url_templates}
        rows={2}
        isMono
      />
    </div>
  );
}
