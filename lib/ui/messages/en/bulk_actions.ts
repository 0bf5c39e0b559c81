/** Messages of the pages that change many accounts. */
export const bulkActionMessages = {
  listLink: "Bulk actions",
  started: "Bulk action started.",
  changeSelected: "Change selected",
  changeAll: { one: "Change {count} account", other: "Change all {count} accounts" },
  runningTitle: "Running bulk actions",
  running: "{title}: {done} of {total} accounts",
  titles: {
    set_role: "Change role",
    add_to_group: "Add to a group",
    subscribe: "Add to a channel",
    unsubscribe: "Remove from a channel",
    deactivate: "Deactivate accounts",
    import: "Import users",
  },
};
