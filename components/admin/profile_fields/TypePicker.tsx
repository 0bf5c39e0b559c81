import { FIELD_LABEL, FIELD_PROBLEM } from "@/lib/ui/class_names.ts";
import { useAdmin } from "../admin_view.ts";
import type { FormState } from "../form_state.ts";

const TYPES = [1, 2, 3, 4, 5, 6, 7, 8] as const;

/** Renders the choice of a new field's type, each with an explanation. */
export function TypePicker({ state, type }: { state: FormState; type: number }) {
  const { messages } = useAdmin();
  const text = messages.profileFields;
  const chosen = state.value("field_type", String(type));
  const problem = state.problem("field_type");
  return (
    <fieldset class="min-w-0" aria-describedby={problem === undefined ? undefined : "type-problem"}>
      <legend class={`${FIELD_LABEL} mb-2`}>{text.typeTitle}</legend>
      <div class="grid gap-x-6 gap-y-1 sm:grid-cols-2">
        {TYPES.map((value) => (
          <label
            key={value}
            class="-mx-2.5 grid cursor-pointer grid-cols-[auto_minmax(0,1fr)] items-start gap-x-3 rounded-control px-2.5 py-2 has-[:checked]:bg-wash"
          >
            <input
              type="radio"
              name="field_type"
              data-kind
              value={value}
              defaultChecked={String(value) === chosen}
              aria-labelledby={`type-${value}-name`}
              aria-describedby={`type-${value}-about`}
              class="mt-0.5 size-5 accent-ink"
            />
            <span class="min-w-0">
              <span id={`type-${value}-name`} class="block font-strong">{text.types[value].name}</span>
              <span id={`type-${value}-about`} class="block text-small text-soft">
                {text.types[value].about}
              </span>
            </span>
          </label>
        ))}
      </div>
      {problem !== undefined && <p id="type-problem" role="alert" class={FIELD_PROBLEM}>{problem}</p>}
    </fieldset>
  );
}
