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
  const { t } = useAdmin();
  const fields = { id: String(id) };
  return (
    <>
      <ActionButton
        action="move_up"
        fields={fields}
        label={t("Move up: {name}", { name })}
        isDisabled={isFirst}
      >
        {t("Move up")}
      </ActionButton>
      <ActionButton
        action="move_down"
        fields={fields}
        label={t("Move down: {name}", { name })}
        isDisabled={isLast}
      >
        {t("Move down")}
      </ActionButton>
    </>
  );
}
