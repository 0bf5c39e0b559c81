import type { Words } from "@/lib/ui/words/catalogue.ts";

/** What the editor of choices says; it cannot ask for it in the browser. */
export type ChoiceWords = Readonly<
  & Pick<
    Words["profileFields"],
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
  & Pick<Words["common"], "moveUpOf" | "moveDownOf" | "moved">
>;

/** The words of the editor of choices, in the language of `words`. */
export function choiceWords({ profileFields: text, common }: Words): ChoiceWords {
  const { choices, choice, addChoice, sortChoices, up, down, remove, removeOf, putBack, putBackOf } = text;
  const { sorted, removed, isBack, choiceUsed, loss, lossTitle } = text;
  const { moveUpOf, moveDownOf, moved } = common;
  return {
    ...{ choices, choice, addChoice, sortChoices, up, down, remove, removeOf, putBack, putBackOf },
    ...{ sorted, removed, isBack, choiceUsed, loss, lossTitle, moveUpOf, moveDownOf, moved },
  };
}
