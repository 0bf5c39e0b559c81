// The form of a new field contains the settings of every type; the style sheet hides those of the types that
// are not chosen, so that the form works without JavaScript.

/** Shown while a list of options is chosen. */
export const FOR_CHOICES = "group-has-[[data-kind]:checked:not([value='3'])]:hidden";
/** Shown while an external account is chosen. */
export const FOR_ACCOUNTS = "group-has-[[data-kind]:checked:not([value='7'])]:hidden";
/** Shown while pronouns are chosen. */
export const FOR_PRONOUNS = "group-has-[[data-kind]:checked:not([value='8'])]:hidden";
/** Hidden while an account type is chosen that has a fixed label and hint. */
export const NOT_FOR_KNOWN =
  "group-has-[[data-kind][value='7']:checked]:group-has-[[data-known]:checked]:hidden";
/** Hidden while an account type is chosen that has a known URL pattern. */
export const FOR_CUSTOM = "group-has-[[data-known]:checked]:hidden";
/** Hidden while a type is chosen that cannot be displayed on the card. */
export const FOR_CARD =
  "group-has-[[data-kind][value='2']:checked]:hidden group-has-[[data-kind][value='6']:checked]:hidden";
/** Shown while a type is chosen that user searches can match. */
export const FOR_MATCHING = "group-has-[[data-kind]:checked:not([value='1'],[value='7'])]:hidden";
