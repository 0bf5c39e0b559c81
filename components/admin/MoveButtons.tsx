import { useAdmin } from "./admin_view.ts";
import { ActionButton } from "./ActionWords.tsx";

interface MoveButtonsProps {
  readonly id: number;
  readonly name: string;
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

/** Moves a row one place up or down, without a mouse and without script. */
export function MoveButtons({ id, name, isFirst, isLast }: MoveButtonsProps) {
  const { words, speech } = useAdmin();
  const fields = { id: String(id) };
  return (
    <>
      <ActionButton
        action="move_up"
        fields={fields}
        label={speech.say(words.common.moveUpOf, { name })}
        isDisabled={isFirst}
      >
        {words.common.moveUp}
      </ActionButton>
      <ActionButton
        action="move_down"
        fields={fields}
        label={speech.say(words.common.moveDownOf, { name })}
        isDisabled={isLast}
      >
        {words.common.moveDown}
      </ActionButton>
    </>
  );
}
