/** Messages of the pages that change many users. */
export const bulkActionMessages = {
  listLink: "Bulk actions",
  started: "Bulk action started.",
  changeSelected: "Change selected",
  changeAll: { one: "Change {count} user", other: "Change all {count} users" },
  reactivation: {
    changeSelected: "Reactivate selected",
    changeAll: { one: "Reactivate {count} user", other: "Reactivate all {count} users" },
  },
  runningTitle: "Running bulk actions",
  running: "{title}: {done} of {total} users",
  titles: {
    set_role: "Change role",
    add_to_group: "Add to a group",
    subscribe: "Add to a channel",
    unsubscribe: "Remove from a channel",
    deactivate: "Deactivate users",
    reactivate: "Reactivate users",
    import: "Import users",
  },
  subject: "{title}: {name}",
};
