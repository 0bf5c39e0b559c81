import { PageTitle } from "../PageTitle.tsx";
import { SitePage } from "../SitePage.tsx";

/** Where something was sent, and whose it is. */
export interface JoinSentProps {
  readonly organization: string;
  readonly email: string;
}

/** The same words for every address, so that nobody learns here who has an account. */
export function JoinSent({ organization, email }: JoinSentProps) {
  return (
    <SitePage title="Check your mail">
      <PageTitle title="Check your mail">
        A mail is on its way to <span class="text-ink break-words">{email}</span> that says how you go on to
        {" "}
        <span class="text-ink break-words">{organization}</span>. The link in it works for a day.
      </PageTitle>
      <p class="mt-6 max-w-[56ch]">
        Nothing there after a few minutes? Look among the unwanted mail, and whether the address above is
        right; if it is not, open the invitation again and type another.
      </p>
    </SitePage>
  );
}
