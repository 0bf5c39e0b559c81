import type { ListedField } from "@/lib/admin/profile_fields/profile_fields_page.ts";
import { useAdmin } from "../admin_view.ts";

/** Id of the element that explains why no more fields fit on the card. */
export const CARD_FULL_ID = "card-full";

interface CardSwitchProps {
  readonly field: ListedField;
  /** Whether the card has no room for another field. */
  readonly isCardFull: boolean;
}

/** Renders the switch that displays a field on the card, or the reason it is not available. */
export function CardSwitch({ field, isCardFull }: CardSwitchProps) {
  const { messages, formatter } = useAdmin();
  const text = messages.profileFields;
  const { id, name, isOnCard } = field;
  if (!field.offersCard) return <span class="text-small text-soft">{text.cardNever}</span>;
  const isFull = isCardFull && !isOnCard;
  const state = isOnCard ? text.cardOn : isFull ? text.cardNoRoom : text.cardOff;
  return (
    <form method="post" data-action="card">
      <input type="hidden" name="action" value="card" />
      <input type="hidden" name="id" value={id} />
      <input type="hidden" name="on" value={isOnCard ? "false" : "true"} />
      <button
        type="submit"
        role="switch"
        aria-checked={isOnCard}
        aria-label={formatter.t(text.cardSwitch, { state, name })}
        aria-describedby={isFull ? CARD_FULL_ID : undefined}
        disabled={isFull}
        class="inline-flex min-h-9 cursor-pointer items-center gap-2 text-small disabled:cursor-default disabled:text-soft"
      >
        <span
          aria-hidden="true"
          class={`inline-flex h-4.5 w-8 flex-none rounded-control border p-0.5 ${
            isOnCard ? "justify-end border-ink bg-ink" : "justify-start border-edge"
          } ${isFull ? "opacity-50" : ""}`}
        >
          <span
            class={`aspect-square h-full rounded-control forced-colors:border-4 ${
              isOnCard ? "bg-paper" : "bg-edge"
            }`}
          />
        </span>
        {state}
      </button>
    </form>
  );
}
