import { bool, described, text, withDefault } from "../params/param.ts";

/** Parameters of a key that is fetched with a password. */
export const passwordParams = {
  username: described(text(), "The account's e-mail address."),
  password: described(text(), "The account's password."),
};

/** Parameters of a key that is fetched with a signed token. */
export const tokenParams = {
  token: described(
    withDefault(text(), ""),
    "A signed JSON Web Token with the account's e-mail address as its claim `email`. Required.",
  ),
  include_profile: described(withDefault(bool(), false), "Whether the answer also holds the account."),
};
