// A form for a new field holds the parts of every type; the style sheet hides those of the types that are not chosen,
// so that choosing works without script.

/** Shown while choices are chosen. */
export const FOR_CHOICES = "group-has-[[data-kind]:checked:not([value='3'])]:hidden";
/** Shown while an external account is chosen. */
export const FOR_ACCOUNTS = "group-has-[[data-kind]:checked:not([value='7'])]:hidden";
/** Shown while pronouns are chosen. */
export const FOR_PRONOUNS = "group-has-[[data-kind]:checked:not([value='8'])]:hidden";
/** Hidden while an account is chosen whose label and hint are its own. */
export const NOT_FOR_KNOWN =
  "group-has-[[data-kind][value='7']:checked]:group-has-[[data-known]:checked]:hidden";
/** Hidden while an account is chosen whose address is known. */
export const FOR_CUSTOM = "group-has-[[data-known]:checked]:hidden";
/** Hidden while a type is chosen that does not fit on a card. */
export const FOR_CARD =
  "group-has-[[data-kind][value='2']:checked]:hidden group-has-[[data-kind][value='6']:checked]:hidden";
/** Shown while a type is chosen by which people can be found. */
export const FOR_MATCHING = "group-has-[[data-kind]:checked:not([value='1'],[value='7'])]:hidden";
