/** Messages of the pages of code playgrounds. */
export const playgroundMessages = {
  title: "Code playgrounds",
  lede: "Code playgrounds are websites on which users open the code blocks of a language.",
  newTitle: "New code playground",
  create: "Add code playground",
  nameHint: "Users choose the playground by this name. Up to {count} characters.",
  language: "Language",
  languageHint: "The language of the code blocks, such as Python.",
  badLanguage: "Use letters, digits, spaces and + , - . / # only.",
  urlTemplate: "URL template",
  urlTemplateHint:
    "The address of the playground. {code} stands for the code block, {?code} for a query with it.",
  taken: "The language already has a playground of this name. Choose another name.",
  full: "The organization has reached the maximum number of code playgrounds.",
  listTitle: "All code playgrounds",
  playground: "Playground",
  empty: "There are no code playgrounds yet.",
  emptyAdvice:
    "Users see a button on code blocks of a language once it has a playground. Add the first one above.",
  created: "Code playground {name} added.",
  deleted: "Code playground {name} deleted.",
  deleteTitle: "Delete this code playground?",
  deleteText: "Code blocks will no longer open on it, also those in existing messages.",
  deleteButton: "Delete code playground",
};
