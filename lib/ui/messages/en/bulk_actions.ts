/** Messages of the pages that change many users. */
export const bulkActionMessages = {
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
