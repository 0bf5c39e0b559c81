/** Messages of the pages that manage short links. */
export const linkMessages = {
  refused: "Only administrators of the main organization can manage the short links of this server.",
  link: "Link",
  visits: "Visits",
};
