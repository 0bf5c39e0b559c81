/** Messages of the editor of the choices of a profile field. */
export const profileFieldMessages = {
  choice: "Choice {place}",
  addChoice: "Add choice",
  sortChoices: "Sort A to Z",
  up: "Up",
  down: "Down",
  remove: "Remove",
  removeOf: "Remove {name}",
  putBack: "Restore",
  putBackOf: "Restore {name}",
  sorted: "Choices sorted.",
  removed: "{name} removed.",
  isBack: "{name} restored.",
  choiceUsed: { one: "used by {count} user", other: "used by {count} users" },
  loss: {
    one: "Remove “{name}” and clear it for the {count} user who chose it",
    other: "Remove “{name}” and clear it for the {count} users who chose it",
  },
  lossTitle: "Removed choices that are in use",
};
