import type { Messages } from "@/lib/ui/messages/catalogue.ts";

/** Text of the choice editor; islands cannot read the message catalogue. */
export type ChoiceMessages = Readonly<
  & Pick<
    Messages["profileFields"],
    | "choices"
    | "choice"
    | "addChoice"
    | "sortChoices"
    | "up"
    | "down"
    | "remove"
    | "removeOf"
    | "putBack"
    | "putBackOf"
    | "sorted"
    | "removed"
    | "isBack"
    | "choiceUsed"
    | "loss"
    | "lossTitle"
  >
  & Pick<Messages["common"], "moveUpOf" | "moveDownOf" | "moved">
>;

/** Returns the text of the choice editor in the language of `messages`. */
export function choiceMessages({ profileFields: text, common }: Messages): ChoiceMessages {
  const { choices, choice, addChoice, sortChoices, up, down, remove, removeOf, putBack, putBackOf } = text;
  const { sorted, removed, isBack, choiceUsed, loss, lossTitle } = text;
  const { moveUpOf, moveDownOf, moved } = common;
  return {
    ...{ choices, choice, addChoice, sortChoices, up, down, remove, removeOf, putBack, putBackOf },
    ...{ sorted, removed, isBack, choiceUsed, loss, lossTitle, moveUpOf, moveDownOf, moved },
  };
}
