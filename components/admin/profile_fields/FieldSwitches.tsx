import type { FieldFormData } from "@/lib/admin/profile_fields/profile_field_view.ts";
import { useAdmin } from "../admin_view.ts";
import { CheckField } from "../fields.tsx";
import type { FormState } from "../form_state.ts";
import { FOR_CARD, FOR_MATCHING } from "./type_visibility.ts";

/** Renders a field's switches, such as required and displayed on the card. */
export function FieldSwitches({ state, data }: { state: FormState; data: FieldFormData }) {
  const { messages } = useAdmin();
  const text = messages.profileFields;
  return (
    <fieldset class="grid items-start gap-x-6 gap-y-3 border-t border-rule pt-4 sm:grid-cols-2">
      <legend class="sr-only">{text.settings}</legend>
      {data.offersCard && <CardSwitchField state={state} data={data} />}
      <CheckField
        state={state}
        name="required"
        label={text.required}
        hint={text.requiredHint}
        stored={data.isRequired}
      />
      <CheckField
        state={state}
        name="editable"
        label={text.editable}
        hint={text.editableHint}
        stored={data.isEditable}
      />
      {data.offersMatching && (
        <div class={data.id === null ? FOR_MATCHING : ""}>
          <CheckField
            state={state}
            name="matching"
            label={text.matching}
            hint={text.matchingHint}
            stored={data.isMatching}
          />
        </div>
      )}
    </fieldset>
  );
}

function CardSwitchField({ state, data }: { state: FormState; data: FieldFormData }) {
  const { messages, formatter } = useAdmin();
  const text = messages.profileFields;
  const isFull = data.isCardFull && !data.isOnCard;
  const names = formatter.list(data.othersOnCard.map(({ label }) => label));
  return (
    <div class={data.id === null ? FOR_CARD : ""}>
      <CheckField
        state={state}
        name="on_card"
        label={text.onCard}
        hint={isFull ? formatter.t(text.cardFull, { names }) : text.onCardHint}
        stored={data.isOnCard}
        isDisabled={isFull}
      />
    </div>
  );
}
