import { CHARACTERS_OVER, FAILED, GONE } from "../../texts.ts";

/** Messages shared by many pages. */
export const commonMessages = {
  save: "Save",
  undo: "Undo",
  edit: "Edit",
  delete: "Delete",
  archive: "Archive",
  restore: "Restore",
  copy: "Copy",
  copied: "Copied.",
  moveUpOf: "Move up: {name}",
  moveDownOf: "Move down: {name}",
  moved: "{name} moved to position {place} of {count}.",
  select: "Select {name}",
  yes: "Yes",
  no: "No",
  name: "Name",
  searchButton: "Search",
  nextPage: "Next page",
  firstPage: "First page",
  charactersOver: CHARACTERS_OVER,
  cannotUndo: "This cannot be undone.",
  gone: GONE,
  failed: FAILED,
};
