import { useAdmin } from "./admin_view.ts";
import { ActionButton } from "./ActionButton.tsx";

interface MoveButtonsProps {
  readonly id: number;
  readonly name: string;
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

/**
 * Renders buttons that move a row one position up or down; they work without a mouse and without JavaScript.
 */
export function MoveButtons({ id, name, isFirst, isLast }: MoveButtonsProps) {
  const { messages, formatter } = useAdmin();
  const fields = { id: String(id) };
  return (
    <>
      <ActionButton
        action="move_up"
        fields={fields}
        label={formatter.t(messages.common.moveUpOf, { name })}
        isDisabled={isFirst}
      >
        {messages.common.moveUp}
      </ActionButton>
      <ActionButton
        action="move_down"
        fields={fields}
        label={formatter.t(messages.common.moveDownOf, { name })}
        isDisabled={isLast}
      >
        {messages.common.moveDown}
      </ActionButton>
    </>
  );
}
